import { renderChunks } from './chunks.ts'
import { buildCues, buildSampleResult, collect, inParts } from './testing/sample-result.ts'

type Changes = Parameters<typeof buildSampleResult>[0]

interface Chunk {
  id: string
  text: string
  start: number
  end: number
  chapter?: string
  speaker?: string
}

async function render(changes: Changes = {}): Promise<Chunk[]> {
  const text = (await collect(renderChunks(buildSampleResult(changes)))).join('')
  expect(text).toMatch(/^$|\n$/)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

const say = (texts: string[]): Changes => ({ cues: inParts(buildCues(texts), 7) })

test('has the fields that a search index needs, in one line of JSON each', async () => {
  expect(await render()).toEqual([
    {
      id: '0192f0c1-2b3c-7d4e-8f50-112233445566:1-3',
      text: 'Ice is old. It melts. Then it flows.',
      start: 0,
      end: 9,
      url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=0s',
      title: 'Ice & rivers: what melts first?',
      chapter: 'Start',
      language: 'en',
    },
  ])
})

test('passages have about 120 words, end with a segment, and have each word once', async () => {
  const texts = Array.from({ length: 300 }, (_, nth) => `${nth} b c d e f g h`)
  const chunks = await render(say(texts))
  expect(chunks.map(({ text }) => text).join(' ')).toBe(texts.join(' '))
  const lengths = chunks.map(({ text }) => text.split(' ').length)
  expect(new Set(lengths)).toEqual(new Set([120]))
  expect(chunks[1]).toMatchObject({ id: expect.stringMatching(/:16-30$/), start: 45, end: 90 })
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(20)
})

test('a segment is never divided, and a passage ends where it is closest to its size', async () => {
  const long = Array(200).fill('long').join(' ')
  const chunks = await render(say(['a b', long, long, 'c d']))
  expect(chunks.map(({ text }) => text.split(' ').length)).toEqual([202, 200, 2])
})

test.each([
  ['Japanese', '今日は天気がいいですね。'],
  ['Thai', 'วันนี้อากาศดีมาก'],
])('passages in %s have about 400 characters', async (_, line) => {
  const chunks = await render(say(Array(200).fill(line)))
  for (const { text } of chunks.slice(0, -1)) {
    const length = [...text.replaceAll(' ', '')].length
    expect([length > 380, length < 480]).toEqual([true, true])
  }
})

test('a passage names the chapter in which it begins', async () => {
  const { videoInfo } = buildSampleResult()
  const chapters = [
    { title: 'Later', start: 360 },
    { title: ' ', start: 400 },
    { title: 'Middle', start: 200 },
  ]
  const chunks = await render({ ...say(Array(300).fill('a b c d')), videoInfo: { ...videoInfo, chapters } })
  expect(chunks.slice(0, 6).map(({ start, chapter }) => [start, chapter])).toEqual([
    [0, undefined],
    [90, undefined],
    [180, undefined],
    [270, 'Middle'],
    [360, 'Later'],
    [450, 'Later'],
  ])
})

test('a passage names its speaker only if all of it is of one', async () => {
  const names = ['Ada', 'Ada', 'Ada', 'Bo', undefined, undefined, 'Bo', 'Bo']
  const cues = buildCues(names.map(() => Array(60).fill('word').join(' '))).map((cue, nth) => {
    const speaker = names[nth]
    return speaker === undefined ? cue : { ...cue, speaker }
  })
  const chunks = await render({ cues: inParts(cues) })
  expect(chunks.map(({ speaker }) => speaker)).toEqual(['Ada', undefined, undefined, 'Bo'])
})

test('a transcript without words has no passages', async () => {
  expect(await render(say(['', ' \n ']))).toEqual([])
})
