import { SERVER_KINDS, type ServerKind } from '@subtext/fakes'
import { TALK, useProvider } from './testing/provider.ts'

describe.each(Object.keys(SERVER_KINDS) as ServerKind[])('a server with: %s', (kind) => {
  const isSmall = SERVER_KINDS[kind].contextTokens < 10_000
  const options = { isCompatible: true, ...(isSmall && { limits: { contextTokens: 4_096 } }) }
  const provider = useProvider({ kind })

  test('answers with citations, and shows neither thoughts nor code', async () => {
    const shown: string[] = []
    const answer = await provider.ask('Where was Tharp born, in Michigan?', {
      ...options,
      onPart: ({ text }) => shown.push(text),
    })
    expect(answer).toMatchObject({ kind: 'answer', problem: null })
    expect(answer.parts.flatMap(({ segmentIds }) => segmentIds).length).toBeGreaterThan(0)
    expect(shown).toEqual(answer.parts.map(({ text }) => text))
    for (const { text, segmentIds } of answer.parts) {
      expect(text).not.toMatch(/think|JSON|```/)
      expect(segmentIds.every((id) => TALK.cues[id - 1] !== undefined)).toBe(true)
    }
  })

  test('answers a second question in the same conversation', async () => {
    const first = await provider.ask('Where was Tharp born?', options)
    const earlier = [{ question: 'Where was Tharp born?', kind: first.kind, parts: first.parts }]
    const second = await provider.ask('Who collected the soundings at sea?', { ...options, earlier })
    expect(second).toMatchObject({ kind: 'answer', problem: null })
  })
})
