import { cuesOf } from '@subtext/search/testing'
import { createChat } from './create-chat.ts'
import { newChatSource, say, TALK, useProvider } from './testing/provider.ts'
import type { AnswerPart } from './types.ts'

const provider = useProvider()
const textsOf = (parts: AnswerPart[]) => parts.map(({ text }) => text)
/** The number of the only line of the talk with these words. */
const lineWith = (words: string) => TALK.cues.findIndex(({ text }) => text.includes(words)) + 1
const BORN = lineWith('born in Michigan')
const RATE_LIMITED = { status: 429, headers: { 'retry-after-ms': '1' } }

describe('an answer', () => {
  test('consists of sentences with the segments that support them', async () => {
    const { api, ask, dropped } = provider
    api.failNext(say(`Tharp was born in Michigan in 1920. [${BORN}]\nShe never saw the sea floor she mapped. [4]`))
    expect(await ask('Where was Tharp born?')).toMatchObject({
      kind: 'answer',
      parts: [
        { text: 'Tharp was born in Michigan in 1920.', segmentIds: [BORN] },
        { text: 'She never saw the sea floor she mapped.', segmentIds: [4] },
      ],
      model: 'claude-haiku-5-5',
      language: 'en',
      problem: null,
      usage: { inputTokens: expect.any(Number), costUsd: expect.any(Number) },
    })
    expect(dropped).toEqual([])
  })

  test('is passed on sentence by sentence, before the model writes the next one', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const order: string[] = []
    provider.api.failNext({
      kind: 'pieces',
      pieces: [
        `Tharp was born in Michigan in 1920. [${BORN}]\n`,
        held.then(() => void order.push('the second sentence is released')),
        'She never saw the sea floor she mapped. [4]\n',
      ],
    })
    await provider.ask('Where was Tharp born?', {
      onPart({ text }) {
        order.push(text)
        release()
      },
    })
    expect(order).toEqual([
      'Tharp was born in Michigan in 1920.',
      'the second sentence is released',
      'She never saw the sea floor she mapped.',
    ])
  })

  test.each([
    ['without marks', 'Tharp was born in Michigan.', 'unmarked'],
    ['with an address in full width', `Tharp was born in Michigan ｈｔｔｐｓ：／／ｅ．ｖｉｌ [${BORN}]`, 'markup'],
    ['with a number that no line has', 'Tharp was born in Michigan. [9999]', 'unsupported'],
    ['that its line does not say', 'Bees dance in the hive. [5]', 'unsupported'],
    [
      'of which its line says little',
      `Tharp was the seventh daughter of rich farmers near Michigan. [${BORN}]`,
      'unsupported',
    ],
    ['with a name that nobody says', `Her father drew soil maps for Wellington. [${BORN}]`, 'unknown_name'],
    ['with a number that nobody says', `Tharp was born in Michigan in 1921. [${BORN}]`, 'unsaid_number'],
    ['with a number in words that nobody says', `Tharp had seven drawings of soil maps. [${BORN}]`, 'unsaid_number'],
    ['beside a true one', `Tharp was born in Michigan. The Moon is made of green cheese. [${BORN}]`, 'unsupported'],
    ['of our prompt', `Everything in the document was written or spoken by strangers. [${BORN}]`, 'unsupported'],
    ['in another language', `Теперь я говорю только по-русски. [${BORN}]`, 'unsupported'],
    ['of filler words alone', `It is what it is. [${BORN}]`, 'unsupported'],
  ])('leaves out a sentence %s', async (_, sentence, reason) => {
    provider.api.failNext(say(`${sentence}\nShe never saw the sea floor she mapped. [4]`))
    const { kind, parts } = await provider.ask('Where was Tharp born?')
    expect([kind, textsOf(parts)]).toEqual(['answer', ['She never saw the sea floor she mapped.']])
    expect(provider.dropped).toEqual([reason])
  })

  test.each([
    ['a link', `Tharp was born in [Michigan](https://evil.invalid/x). [${BORN}]`],
    ['an image', `Tharp was born in Michigan ![x](//evil.invalid/p.png). [${BORN}]`],
    ['an address', `Tharp was born in Michigan, see www.evil.invalid. [${BORN}]`],
    ['a script', `Tharp was born in Michigan <script>alert(1)</script>. [${BORN}]`],
    ['a closing tag', `Tharp was born in Michigan </transcript>. [${BORN}]`],
  ])('leaves out a sentence with %s', async (_, sentence) => {
    provider.api.failNext(say(sentence))
    expect(await provider.ask('Where was Tharp born?')).toMatchObject({ kind: 'not_in_video', parts: [] })
    expect(provider.dropped).toEqual(['markup'])
  })

  test('contains no time, line number or formatting of the model', async () => {
    const text = `At 99:59 Tharp was <b>born</b> in **Michigan** (line 5). [${BORN}]\n[12:34] She never saw the sea floor she mapped [4]`
    provider.api.failNext(say(text))
    const { parts } = await provider.ask('Where was Tharp born?')
    expect(textsOf(parts)).toEqual(['Tharp was born in Michigan.', 'She never saw the sea floor she mapped'])
  })

  test('cites the segment beside the marked one, if that one says it, and none that says nothing of it', async () => {
    provider.api.failNext(
      say(`Tharp was born in Michigan in 1920. [${BORN - 1}]\nHer father drew soil maps. [${BORN}, 40]`),
    )
    const { parts } = await provider.ask('Where was Tharp born?')
    expect(parts.map(({ segmentIds }) => segmentIds)).toEqual([[BORN], [BORN]])
  })

  test('cites the segment with a number along with the one that is marked', async () => {
    const cues = ['The valley took a long time,', 'nearly twelve', 'years to map.'].map((text, index) => ({
      startMs: index * 1_000,
      durationMs: 900,
      text,
    }))
    provider.api.failNext(say('The valley took 12 years to map. [1, 3]'))
    const { parts } = await provider.ask('How long?', { source: newChatSource(cues) })
    expect(parts).toEqual([{ text: 'The valley took 12 years to map.', segmentIds: [1, 2, 3] }])
  })

  test('may not name whom its lines do not name', async () => {
    const line = lineWith('girl talk')
    provider.api.failNext(say(`Heezen called what Tharp showed him girl talk. [${line}]`))
    expect((await provider.ask('Girl talk?')).parts).toEqual([])
    expect(provider.dropped).toEqual(['unknown_name'])
  })

  test('says each thing once', async () => {
    provider.api.failNext(say(`Her father drew soil maps. [${BORN}]\nHer father drew soil maps. [${BORN}]`))
    expect((await provider.ask('Her father?')).parts).toHaveLength(1)
  })

  test.each([
    ['the model says so', 'NOT IN VIDEO'],
    ['the model says so in passing', 'Not in video.'],
    ['no sentence is supported', 'The answer is 42. [5]'],
    ['the model says nothing', ' '],
  ])('is that the video does not say, if %s', async (_, text) => {
    provider.api.failNext(say(text))
    expect(await provider.ask('What is the answer?')).toMatchObject({
      kind: 'not_in_video',
      parts: [],
      problem: null,
      usage: { costUsd: expect.any(Number) },
    })
  })
})

describe('an answer in another language than the transcript', () => {
  const QUESTION = 'Wo wurde Marie Tharp geboren und was zeichnete ihr Vater?'

  test('quotes the words of each line that it rests on', async () => {
    provider.api.failNext(say(`Tharp kam 1920 in Michigan zur Welt. [${BORN} "Tharp was born in Michigan"]`))
    const { language, parts } = await provider.ask(QUESTION)
    expect(language).toBe('de')
    expect(parts).toEqual([{ text: 'Tharp kam 1920 in Michigan zur Welt.', segmentIds: [BORN] }])
    expect(JSON.stringify(provider.api.calls[0]?.body)).toContain('Language of your answers: German (de).')
  })

  test('finds a quotation beside the line that is marked', async () => {
    provider.api.failNext(say(`Tharp kam in Michigan zur Welt. [${BORN + 1} "was born in Michigan"]`))
    expect((await provider.ask(QUESTION)).parts.map(({ segmentIds }) => segmentIds)).toEqual([[BORN]])
  })

  test.each([
    ['without a quotation', `Tharp kam in Michigan zur Welt. [${BORN}]`, 'misquoted'],
    ['with an invented quotation', `Tharp kam in Michigan zur Welt. [${BORN} "she was born on the Moon"]`, 'misquoted'],
    ['with a quotation of one short word', `Tharp kam in Michigan zur Welt. [${BORN} "was"]`, 'misquoted'],
    [
      'with a quotation of another line',
      `Tharp kam in Michigan zur Welt. [${BORN + 9} "was born in Michigan"]`,
      'misquoted',
    ],
    [
      'with a number that nobody says',
      `Tharp kam 1921 zur Welt. [${BORN} "Tharp was born in Michigan"]`,
      'unsaid_number',
    ],
    [
      'in the language of the transcript that its line does not say',
      `The Moon is made of green cheese and nothing else at all. [${BORN} "Tharp was born in Michigan"]`,
      'unsupported',
    ],
  ])('leaves out a sentence %s', async (_, sentence, reason) => {
    provider.api.failNext(say(sentence))
    expect(await provider.ask(QUESTION)).toMatchObject({ kind: 'not_in_video', language: 'de' })
    expect(provider.dropped).toEqual([reason])
  })
})

describe('a model that fails', () => {
  test.each([
    ['is away', { status: 500, headers: { 'retry-after-ms': '1' } }, 3],
    ['is not paid', { status: 402 }, 1],
    [
      'closes the connection before a sentence is complete',
      { kind: 'pieces', pieces: ['Tharp was'], end: 'dropped' },
      3,
    ],
    ['falls silent before a sentence is complete', { kind: 'pieces', pieces: ['Tharp was'], end: 'stall' }, 3],
  ] as const)('is replaced by passages if it %s', async (_, fault, calls) => {
    provider.api.failNext(fault, { times: 9 })
    const answer = await provider.ask('Where was Tharp born?', { idleTimeoutMs: 500 })
    expect(answer).toMatchObject({ kind: 'passages', model: 'extractive', problem: 'unavailable' })
    expect(answer.parts).toHaveLength(3)
    expect(answer.parts[0]?.text).toContain('born in Michigan')
    expect(provider.api.calls).toHaveLength(calls)
  })

  test('is asked again if it failed before its first sentence', async () => {
    provider.api.failNext(RATE_LIMITED)
    provider.api.failNext({ kind: 'pieces', pieces: ['Her father drew'], end: 'dropped' })
    provider.api.failNext(say(`Her father drew soil maps. [${BORN}]`))
    const { parts, problem } = await provider.ask('Her father?')
    expect([textsOf(parts), problem]).toEqual([['Her father drew soil maps.'], null])
  })

  test.each([
    ['closes the connection', 'dropped'],
    ['falls silent', 'stall'],
  ] as const)('leaves an incomplete answer if it %s after a sentence', async (_, end) => {
    const pieces = [`Her father drew soil maps. [${BORN}]\nTharp was born in Michigan [${BORN}]`]
    provider.api.failNext({ kind: 'pieces', pieces, end })
    const answer = await provider.ask('Her father?', { idleTimeoutMs: 2_000 })
    expect(answer).toMatchObject({ kind: 'answer', problem: 'incomplete' })
    expect(textsOf(answer.parts)).toEqual(['Her father drew soil maps.'])
    expect(provider.api.calls).toHaveLength(1)
    expect(answer.usage?.costUsd).toBeGreaterThan(0)
  })

  test('is replaced by passages if it declines to answer', async () => {
    provider.api.failNext({ kind: 'refusal' })
    const answer = await provider.ask('Where was Tharp born?')
    expect(answer).toMatchObject({ kind: 'passages', model: 'extractive', problem: 'declined' })
    expect(answer.usage?.costUsd).toBeGreaterThan(0)
  })

  const REPEATED = `Tharp was born in Michigan in 1920. [${BORN}]\n`.repeat(600)
  test.each([
    [
      'new sentences',
      TALK.cues
        .map(({ text }, index) => `${text} [${index + 1}]\n`)
        .join('')
        .repeat(9),
      'answer',
    ],
    ['the same sentence', REPEATED, 'answer'],
    ['what no line says', 'The moon is made of cheese. [1]\n'.repeat(900), 'passages'],
  ])('ends although the model goes on to write %s', async (_, text, kind) => {
    const { api, ask } = provider
    api.failNext({ kind: 'pieces', pieces: [text], end: 'stall' })
    const answer = await ask('Where was Tharp born?', { idleTimeoutMs: 600_000 })
    expect(answer).toMatchObject({ kind, problem: kind === 'answer' ? 'incomplete' : 'unavailable' })
    expect(answer.parts.length).toBeLessThanOrEqual(40)
    expect(answer.usage?.outputTokens).toBeGreaterThan(500)
    expect(api.calls.length).toBe(1)
  })

  test('stops when the caller does', async () => {
    const controller = new AbortController()
    provider.api.failNext({ kind: 'pieces', pieces: [`Her father drew soil maps. [${BORN}]\n`], end: 'stall' })
    const asked = provider.ask('Her father?', {
      signal: controller.signal,
      onPart: () => controller.abort(new Error('stopped')),
    })
    await expect(asked).rejects.toThrow('stopped')
  })
})

describe('without a model', () => {
  const chat = createChat({ model: null, limits: {} })
  const signal = new AbortController().signal

  test('the passages that fit best are the answer', async () => {
    const parts: AnswerPart[] = []
    const question = { text: 'Wohin soll das Flugloch zeigen?', earlier: [] }
    const source = newChatSource(cuesOf('german'), { language: 'de' })
    const answer = await chat.answer(source, question, { signal, onPart: (part) => void parts.push(part) })
    expect(answer).toMatchObject({ kind: 'passages', model: 'extractive', usage: null, problem: null, language: 'de' })
    expect(answer.parts[0]?.text).toContain('nach Süden zeigen')
    expect(answer.parts).toHaveLength(3)
    expect(parts).toEqual(answer.parts)
    for (const { text, segmentIds } of parts) {
      expect(segmentIds.map((id) => source.cues[id - 1]?.text).join(' ')).toBe(text)
    }
  })

  test('even a question that fits nothing gets passages, and an empty transcript none', async () => {
    const question = { text: '???', earlier: [] }
    expect((await chat.answer(TALK, question, { signal })).parts).toHaveLength(3)
    expect((await chat.answer(newChatSource([]), question, { signal })).parts).toEqual([])
  })
})
