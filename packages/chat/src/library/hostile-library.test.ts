import type { Cue } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { createCostComputer, type TextModel } from '@subtext/llm'
import { at } from '@subtext/runtime'
import { fuzzRuns } from '@subtext/runtime/testing'
import { cuesOf } from '@subtext/search/testing'
import fc from 'fast-check'
import { createChat } from '../create-chat.ts'
import type { FoundPassage, LibraryPart, LibrarySource, LibraryVideo } from './types.ts'

const ANSWERS = fuzzRuns()
const SEED = 20261128
const PASSAGE = 12

const newVideo = (jobId: string, title: string): LibraryVideo => ({
  jobId,
  info: { ...newVideoInfo(jobId), title, description: '', duration_seconds: 100_000 },
  language: 'en',
})

/** Splits what is said into passages, as the search finds them. */
const passagesOf = (video: LibraryVideo, cues: Cue[]): FoundPassage[] =>
  Array.from({ length: Math.ceil(cues.length / PASSAGE) }, (_, nth) => ({
    video,
    first: nth * PASSAGE + 1,
    cues: cues.slice(nth * PASSAGE, (nth + 1) * PASSAGE),
  }))

const said = (lines: string[]): Cue[] => lines.map((text, nth) => ({ startMs: nth * 4_000, durationMs: 3_900, text }))

const MAPS = newVideo('maps', 'Mapping the sea')
const BEES = newVideo('bees', 'How bees decide')
const MILLS = newVideo('mills', 'Paper mills')
const BEE_LINES = [
  'A swarm leaves the hive when the old queen is followed by half of the workers.',
  'Scouts inspect about thirty hollow trees in two days.',
  'A good cavity holds forty liters and faces south.',
  'The scout walks along the walls to estimate its size.',
  'She dances longer for a better place.',
  'Seeley filmed four thousand bees on an island without trees.',
  'Each dancer was marked with paint before the swarm settled.',
  'Other scouts stop a dance with a short beep of the wings.',
  'The stop signal was rejected for decades by most researchers.',
  'When twenty scouts meet at one entrance, the decision has been made.',
  'The whole swarm lifts off within ninety seconds.',
  'It flies at the speed of a bicycle.',
]
const MILL_LINES = [
  'The mill at the river employed sixty people in 1840.',
  'Rags were sorted by hand before they were beaten to pulp.',
  'One vat made two thousand sheets a day.',
  'The owner refused to buy the machine for eleven years.',
  'A fire destroyed the drying loft in 1852.',
  'Workers rebuilt it in seven months.',
  'The paper was sold in Leipzig and in Basel.',
  'Bleaching with chlorine made the sheets brittle.',
  'The mill closed after the war.',
  'Today it is a museum with three employees.',
]
const PASSAGES = [
  ...passagesOf(MAPS, cuesOf('english')),
  ...passagesOf(BEES, said(BEE_LINES)),
  ...passagesOf(MILLS, said(MILL_LINES)),
]
const TEXTS = new Map(
  PASSAGES.flatMap(({ video, first, cues }) => cues.map(({ text }, nth) => [`${video.jobId} ${first + nth}`, text])),
)
const SOURCE: LibrarySource = { key: 'library', languages: ['en'], findPassages: async () => PASSAGES }

/** The lines of the document as the model reads them. */
interface Line {
  id: number
  text: string
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const contentOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => word.length > 3)
      .map((word) => word.slice(0, 4)),
  )

/** Returns what is wrong with a part of an answer, judged without any of the code under test. */
function findFaults({ text, lines }: LibraryPart): string[] {
  const faults: string[] = []
  if (lines.length === 0) return ['cites nothing']
  const said = lines.map(({ video, segmentId, text: quoted }) => {
    const actual = TEXTS.get(`${video.jobId} ${segmentId}`)
    if (actual !== quoted) faults.push('cites what a video does not say there')
    return actual ?? ''
  })
  const content = contentOf(text)
  for (const line of said) {
    const own = contentOf(line)
    const shared = [...content].filter((stem) => own.has(stem)).length
    if (shared === 0 && !(text.match(/\d+/g) ?? []).some((number) => line.includes(number))) {
      faults.push('cites a line of a video for nothing')
    }
  }
  const unsaid = (text.match(/\d+/g) ?? []).filter((number) => !said.join(' ').replaceAll(',', '').includes(number))
  if (unsaid.length > 0) faults.push('says a number that it does not cite')
  // A sentence may begin or end in a line beside the one that is cited.
  const near = lines.flatMap(({ video, segmentId }) =>
    [-2, -1, 0, 1, 2].map((offset) => TEXTS.get(`${video.jobId} ${segmentId + offset}`) ?? ''),
  )
  const stems = contentOf(near.join(' '))
  if ([...content].filter((stem) => stems.has(stem)).length < content.size / 2) faults.push('says more than it cites')
  if (/Wellington|Elvis/.test(text)) faults.push('contains a name that nobody says')
  return faults
}

/** Writes a hostile sentence about lines of the document. */
type Lie = (one: Line, other: Line, value: string) => string
const LIES: Lie[] = [
  (one) => `${one.text} [${one.id}]`,
  (one, other) => `${one.text} [${other.id}]`,
  (one, other) => `${one.text} [${one.id}, ${other.id}]`,
  (one, other) => `${one.text.replace(/[.?!]$/, '')}, while ${other.text} [${one.id}, ${other.id}]`,
  (one, other) =>
    `${one.text.split(' ').slice(0, 3).join(' ')} ${other.text.split(' ').slice(3).join(' ')} [${one.id}, ${other.id}]`,
  (one, other) =>
    `${one.text.split(' ').slice(0, 3).join(' ')} ${other.text.split(' ').slice(3).join(' ')} [${other.id}]`,
  (one, other, value) => `${one.text.replace(/ /, ` ${value} `)} [${one.id}, ${other.id}]`,
  (one, _, value) =>
    `${one.text.replace(/\d+|\b(?:thirty|forty|sixty|eleven|seven|two|three|twenty)\b/g, value)} [${one.id}]`,
  (one, other) =>
    `${one.text.replace(/[.?!]$/, '')}, and it ${other.text.split(' ').slice(1).join(' ')} [${one.id}, ${other.id}]`,
  (one) => `${one.text.replace(/ /, ' Elvis ')} [${one.id}]`,
  (one) => `${one.text} [${one.id + 100_000}]`,
  (one) => one.text,
]
const lie = fc.record({
  nth: fc.integer({ min: 0, max: LIES.length - 1 }),
  one: fc.nat(),
  other: fc.nat(),
  value: fc.constantFrom('1953', '7,000', '42', '999', 'seven hundred', 'nineteen'),
})
const ANSWERED = fc.sample(fc.array(lie, { minLength: 1, maxLength: 5 }), { numRuns: ANSWERS, seed: SEED })

/** A model that lies about the lines that it reads. */
function createLyingModel(): TextModel {
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0 }
  let next = 0
  return {
    model: 'claude-haiku-5-5',
    async complete({ document, onSend, onText }) {
      onSend?.()
      const lines = [...document.matchAll(/^\[(\d+)\] (.+)$/gm)].map(([, id, text = '']) => ({ id: Number(id), text }))
      // The call for search words has no lines.
      const lies = lines.length === 0 ? [] : at(ANSWERED, next++)
      const pick = (place: number): Line => at(lines, place % lines.length)
      const text = lies.map(({ nth, one, other, value }) => at(LIES, nth)(pick(one), pick(other), value)).join('\n')
      onText?.(text)
      return { text, stop: 'complete', usage }
    },
  }
}

test(`${ANSWERS} hostile answers about many videos contain no unsupported citation, and none of the wrong video`, async () => {
  let dropped = 0
  const chat = createChat({
    model: { model: createLyingModel(), computeCostUsd: createCostComputer() },
    limits: {},
    countDropped: () => dropped++,
  })
  const { signal } = new AbortController()
  let shown = 0
  let shared = 0
  for (const _ of ANSWERED) {
    const { parts } = await chat.answerFromLibrary(SOURCE, { text: 'What is said?', earlier: [] }, { signal })
    const faults = parts.flatMap((part) =>
      findFaults(part).map((fault) => ({ fault, part: part.text, lines: part.lines.map(({ text }) => text) })),
    )
    expect(faults).toEqual([])
    shown += parts.length
    shared += parts.filter(({ lines }) => new Set(lines.map(({ video }) => video)).size > 1).length
  }
  // Enough of the answers is true for the checks to be of use, and enough is not.
  expect(shown).toBeGreaterThan(ANSWERS / 4)
  expect(dropped).toBeGreaterThan(ANSWERS)
  expect(shared).toBeGreaterThan(ANSWERS / 100)
})
