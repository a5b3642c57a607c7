import { at } from '@subtext/runtime'
import { SYSTEM_RULES } from '@subtext/summarize/prompts'
import { newChatSource, say, TALK, useProvider } from './testing/provider.ts'

const provider = useProvider()
const BORN = TALK.cues.findIndex(({ text }) => text.includes('born in Michigan')) + 1

test('the prompt begins with what the summaries send, and ends with the conversation', async () => {
  const earlier = [
    {
      question: 'Who drew <title>maps</title>?',
      kind: 'answer' as const,
      parts: [{ text: 'Her father.', segmentIds: [5, 6] }],
    },
    { question: 'How old is the Moon?', kind: 'not_in_video' as const, parts: [] },
  ]
  await provider.ask('Where was\nTharp born? </document>', { earlier })
  const { system, messages } = at(provider.api.calls, 0).body
  expect(system).toBe(SYSTEM_RULES)
  const [first, ...others] = messages
  const [document, rules, question] = [...(first?.content ?? [])].filter((block) => typeof block !== 'string')
  expect(document?.source?.data).toMatch(/^<video>\n<title>A talk<\/title>\n.*<transcript>\n\[1\] In 1950, /s)
  expect(rules?.text).toContain('NOT IN VIDEO')
  expect(question?.text).toBe('Who drew ‹title>maps‹/title>?')
  expect(others).toEqual([
    { role: 'assistant', content: 'Her father. [5, 6]' },
    { role: 'user', content: 'How old is the Moon?' },
    { role: 'assistant', content: 'NOT IN VIDEO' },
    { role: 'user', content: 'Where was Tharp born? </document>' },
  ])
})

test('the prompt holds the last 20 messages of a conversation, and fewer if they are long', async () => {
  const exchange = (question: string) => ({ question, kind: 'not_in_video' as const, parts: [] })
  await provider.ask('Now?', { earlier: Array.from({ length: 30 }, (_, index) => exchange(`Question ${index}?`)) })
  await provider.ask('Now?', { earlier: Array.from({ length: 30 }, () => exchange('long '.repeat(400))) })
  const [many, long] = provider.api.calls.map(({ body }) => body.messages)
  expect(many).toHaveLength(21)
  expect(JSON.stringify(many)).toContain('Question 20?')
  expect(JSON.stringify(many)).not.toContain('Question 19?')
  expect(long?.length).toBeLessThan(21)
})

test('the second question of a conversation costs at most a fifth of the first one', async () => {
  const cues = Array.from({ length: 900 }, (_, index) => ({
    startMs: index * 4_000,
    durationMs: 3_900,
    text: `Entry ${index + 1}: the harbor master measures the height of the tide once more.`,
  }))
  const source = newChatSource(cues)
  const first = await provider.ask('What does the harbor master measure?', { source })
  const { kind, parts } = first
  const earlier = [{ question: 'What does the harbor master measure?', kind, parts }]
  const second = await provider.ask('And how often does he measure the tide?', { source, earlier })
  expect(first.usage?.cacheWriteTokens).toBeGreaterThan(10_000)
  expect(second.usage?.cachedInputTokens).toBe(first.usage?.cacheWriteTokens)
  expect((second.usage?.costUsd ?? 1) * 5).toBeLessThanOrEqual(first.usage?.costUsd ?? 0)
})

test('shows no tokens that are cached because another account had asked about the video', async () => {
  const cues = Array.from({ length: 900 }, (_, index) => ({
    startMs: index * 4_000,
    durationMs: 3_900,
    text: `Entry ${index + 1}: the harbor master measures the height of the tide once more.`,
  }))
  const ask = async (hasOwnCache: boolean) =>
    (await provider.ask('What does the harbor master measure?', { source: newChatSource(cues, { hasOwnCache }) })).usage
  const first = await ask(false)
  expect(await ask(false)).toEqual(first)
  expect(provider.api.calls.map(({ cacheUse }) => cacheUse)).toEqual(['write', 'read'])
  expect((await ask(true))?.cachedInputTokens).toBe(first?.cacheWriteTokens)
})

test('the prompt holds the best passages and the notes in place of a transcript that is too long', async () => {
  const filler = Array.from({ length: 4_000 }, (_, index) => ({
    startMs: index * 4_000,
    durationMs: 3_900,
    text: `Entry ${index + 1}: the keeper of the lamp describes the evening sky for a long while.`,
  }))
  const cues = filler.with(2_999, { startMs: 0, durationMs: 900, text: 'Marie Tharp was born in Michigan.' })
  const notes = [
    { text: 'The keeper <b>talks</b> [7].', segmentIds: [7, 8] },
    { text: 'The keeper <b>talks</b> [7].', segmentIds: [7, 8] },
  ]
  const { parts } = await provider.ask('Where was Marie Tharp born?', {
    source: newChatSource(cues, { notes }),
    limits: { maxPromptTokens: 20_000 },
  })
  expect(parts).toMatchObject([{ text: expect.stringContaining('Marie Tharp was born in Michigan.') }])
  expect(parts[0]?.segmentIds).toContain(3_000)
  const prompt = JSON.stringify(provider.api.calls[0]?.body)
  expect(prompt).toContain('Marie Tharp was born in Michigan.')
  expect(prompt.match(/- The keeper <b>talks<\/b> \(7\)\. \(7, 8\)/g)).toHaveLength(1)
  const lines = prompt.match(/Entry \d+:/g) ?? []
  expect(lines.length).toBeGreaterThan(200)
  expect(lines.length).toBeLessThan(1_000)
  expect(prompt).not.toContain('cache_control')
})

test('the prompt is shortened once if the model finds it too long', async () => {
  provider.api.failNext({ kind: 'window-exceeded' })
  provider.api.failNext(say(`Her father drew soil maps. [${BORN}]`))
  expect(await provider.ask('What did her father draw?')).toMatchObject({ kind: 'answer', problem: null })
  provider.api.failNext({ kind: 'window-exceeded' }, { times: 2 })
  expect(await provider.ask('What did her father draw?')).toMatchObject({ kind: 'passages', problem: 'unavailable' })
  const [whole, shortened] = provider.api.calls.map(({ body }) => JSON.stringify(body))
  expect(whole).toContain('<transcript>')
  expect(shortened).toContain('<passages>')
})
