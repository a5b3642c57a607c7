import type { Cue } from '@subtext/contracts'
import { buildBlocks, buildLines } from './blocks.ts'
import { buildSentences } from './sentences.ts'
import { describeSpeech } from './speech.ts'

const pace = async () => undefined

const sentencesOf = async (cues: Cue[], language = 'en') => {
  const lines = await buildLines(cues, pace)
  const speech = describeSpeech(
    language,
    lines.map((line) => line.text),
  )
  const blocks = await buildBlocks(lines, { writtenByPeople: false }, pace)
  const sentences = await buildSentences(blocks, speech, pace)
  return sentences.map(({ text, segmentIds }) => [text, segmentIds] as const)
}

const cue = (startMs: number, durationMs: number, text: string): Cue => ({ startMs, durationMs, text })

test('finds sentences that span lines and lines that hold several sentences', async () => {
  const cues = [cue(0, 1_000, 'One. Two is'), cue(1_000, 1_000, 'longer than'), cue(2_000, 1_000, 'one. Three.')]
  expect(await sentencesOf(cues)).toEqual([
    ['One.', [1]],
    ['Two is longer than one.', [1, 2, 3]],
    ['Three.', [3]],
  ])
})

test('does not end a sentence at a title or an initial', async () => {
  const cues = [cue(0, 1_000, 'We met Dr. Smith and'), cue(1_000, 1_000, 'Prof. J. Doe there.')]
  expect(await sentencesOf(cues)).toEqual([['We met Dr. Smith and Prof. J. Doe there.', [1, 2]]])
})

test('ends a sentence at a long silence and at a change of speakers', async () => {
  const cues = [cue(0, 1_000, 'this is it'), cue(9_000, 1_000, 'and we go on'), cue(10_000, 1_000, '>> do we')]
  expect(await sentencesOf(cues)).toEqual([
    ['This is it.', [1]],
    ['And we go on.', [2]],
    ['Do we.', [3]],
  ])
})

test('skips the IDs of lines without words', async () => {
  const cues = [
    cue(0, 1_000, '[Music]'),
    cue(1_000, 1_000, 'The tea'),
    cue(2_000, 1_000, '♪'),
    cue(3_000, 1_000, 'is hot.'),
  ]
  expect(await sentencesOf(cues)).toEqual([['The tea is hot.', [2, 4]]])
})

test('cuts speech without punctuation at its pauses, even if rolling captions hide them', async () => {
  const clause = 'the water runs down from the mountain into the lake below the old village'
  const words = Array.from({ length: 4 }, () => clause.match(/.{1,37}(?: |$)/gu)?.map((part) => part.trim()) ?? [])
  let startMs = 0
  const cues = words.flatMap((parts) => {
    const said = parts.map((text) => {
      const line = cue(startMs, 6_000, text)
      startMs += text.length * 60
      return line
    })
    startMs += 1_500
    return said
  })
  const sentences = await sentencesOf(cues)
  expect(sentences.map(([text]) => text)).toEqual(Array.from({ length: 4 }, () => `T${clause.slice(1)}.`))
})

test.each([
  ['en', 'and the river runs '.repeat(200), 10, 310],
  ['ja', '川が山から流れていきます'.repeat(100), 10, 90],
  ['ru', 'река течёт с горы в долину '.repeat(100), 30, 230],
  ['en', 'x'.repeat(5_000), 30, 230],
])('%s: cuts endless speech into sentences of readable length', async (language, text, low, high) => {
  const parts = text.match(/.{1,40}/gu) ?? []
  const cues = parts.map((part, i) => cue(i * 2_000, 2_000, part))
  const lengths = (await sentencesOf(cues, language)).map(([sentence]) => sentence.length)
  expect(lengths.length).toBeGreaterThan(5)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(high)
  expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(low)
})

test('ends sentences of automatic captions at the silences between their words', async () => {
  const words = 'harbor lamp ferry anchor compass sailor storm island channel pilot rope cabin'.split(' ')
  const lines = Array.from({ length: 30 }, (_, i) =>
    Array.from({ length: 8 }, (_, k) => words[(i * 5 + k * 7 + (i % 3)) % words.length]).join(' '),
  )
  const cues = lines.map((text, i) => ({
    ...cue(i * 3_000, 3_000, text),
    pauses: i % 2 === 0 ? [[4, 1_200] as const] : [],
  }))
  const sentences = await sentencesOf(cues)
  const begins = lines.filter((_, i) => i % 2 === 0).map((line) => line.split(' ').slice(4, 7).join(' '))
  const found = begins.filter((begin) =>
    sentences.some(([text]) =>
      text
        .toLowerCase()
        .replace(/^"\.\.\. /, '')
        .startsWith(begin),
    ),
  )
  expect(found.length).toBeGreaterThan(begins.length * 0.8)
})
