import type { Cue } from '@subtext/contracts'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { fillForm } from '@subtext/summarize/testing'
import type { Part } from '../part.ts'
import { createRandom } from '../search/corpus.ts'
import { formatLine } from '../table.ts'

const ALTERED = 10_000
const TRUE = 2_000
const PER_ANSWER = 20
/** Of a quotation that may be shown: three words or six characters. */
const MIN_UNITS = { spaced: 3, dense: 6 }
const MORE_UNITS = 9
const WIDTHS = [10, 12, 12, 12, 12, 12]

type Random = () => number

/** What is quoted from: the units of a text are its words or, in a script without spaces, its characters. */
interface Talk {
  language: string
  cues: Cue[]
  units: string[]
  between: string
}

const withoutSpaces = (language: string): boolean => /^(?:ja|zh)/.test(language)

function readTalk({ language, tracks }: (typeof SAMPLE_TALKS)[keyof typeof SAMPLE_TALKS]): Talk {
  const cues = [...(tracks[0]?.cues() ?? [])]
  const text = cues.map((cue) => cue.text).join(' ')
  const isDense = withoutSpaces(language)
  return {
    language,
    cues,
    units: isDense ? [...text.replaceAll(' ', '')] : text.split(' '),
    between: isDense ? '' : ' ',
  }
}

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T

/** Ways to alter a quotation. Each returns other words than were said, or the same by chance. */
const ALTERATIONS: ((units: string[], talk: Talk, random: Random) => string[])[] = [
  (units, _, random) => units.toSpliced(1 + Math.floor(random() * (units.length - 2)), 1),
  (units, talk, random) => units.with(Math.floor(random() * units.length), pick(talk.units, random)),
  (units, talk, random) => units.toSpliced(Math.floor(random() * units.length), 0, pick(talk.units, random)),
  (units, _, random) => units.toSpliced(1 + Math.floor(random() * (units.length - 1)), 0, 'not'),
  (units) => units.toReversed(),
  (units) => [...units.slice(0, 2), '…', ...units.slice(-2)],
  (units, talk, random) => [
    ...units.slice(0, 3),
    ...talk.units.slice(Math.floor(random() * talk.units.length)).slice(0, 3),
  ],
  (units) => units.map((unit) => unit.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))).concat('351'),
]

function takeUnits({ units, between }: Talk, random: Random): string[] {
  const length = MIN_UNITS[between === '' ? 'dense' : 'spaced'] + Math.floor(random() * MORE_UNITS)
  const from = Math.floor(random() * (units.length - length))
  return units.slice(from, from + length)
}

interface Answered {
  shown: { quote: string }[]
  evidence: Record<string, { segmentId: number; quote: string }[]>
}

/** Returns what is shown of quotations that a model cites every line for. */
async function ask({ language, cues }: Talk, quotations: readonly string[]): Promise<Answered> {
  const segment_ids = cues.map((_, index) => index + 1)
  const quotes = quotations.map((value) => ({ quote: { value, segment_ids } }))
  const { outcome } = await fillForm('quotes', [{ quotes }], { lines: cues, language })
  if (!('content' in outcome)) return { shown: [], evidence: {} }
  return { shown: (outcome.content.data as { quotes: { quote: string }[] }).quotes, evidence: outcome.content.evidence }
}

const squeeze = (text: string): string => text.replace(/\s+/g, '')

/** Counts quotations that are shown but not said, word for word, and lines of evidence that do not say what they are shown with. */
function countUnsaid({ cues }: Talk, { shown, evidence }: Answered): number {
  const said = squeeze(cues.map(({ text }) => text).join(''))
  const unsaid = shown.filter(({ quote }) => !said.includes(squeeze(quote))).length
  const misplaced = Object.values(evidence)
    .flat()
    .filter(({ segmentId, quote }) => !cues[segmentId - 1]?.text.includes(quote)).length
  return unsaid + misplaced
}

/**
 * Measures what templates show of quotations that a model has altered, in the languages of the sample talks, and how many that
 * it has not altered are lost.
 */
export const measureQuotations: Part = async ({ say }) => {
  const random = createRandom(1)
  const talks = Object.values(SAMPLE_TALKS).map(readTalk)
  const rows = [['', 'altered', 'shown', 'not said', 'true', 'lost']]
  const totals = [0, 0, 0, 0, 0]
  for (const talk of talks) {
    say(`templates: ${talk.language}`)
    const counts = [0, 0, 0, 0, 0]
    const run = async (count: number, alter: (units: string[]) => string[], isTrue: boolean) => {
      for (let done = 0; done < count; done += PER_ANSWER) {
        const quotations = Array.from({ length: PER_ANSWER }, () => alter(takeUnits(talk, random)).join(talk.between))
        const answered = await ask(talk, quotations)
        const found = [
          PER_ANSWER,
          answered.shown.length,
          countUnsaid(talk, answered),
          PER_ANSWER - answered.shown.length,
        ]
        const [sent = 0, shown = 0, unsaid = 0, lost = 0] = found
        for (const [at, value] of (isTrue ? [0, 0, unsaid, sent, lost] : [sent, shown, unsaid, 0, 0]).entries()) {
          counts[at] = (counts[at] ?? 0) + value
        }
      }
    }
    await run(Math.ceil(ALTERED / talks.length), (units) => pick(ALTERATIONS, random)(units, talk, random), false)
    await run(Math.ceil(TRUE / talks.length), (units) => units, true)
    for (const [at, value] of counts.entries()) totals[at] = (totals[at] ?? 0) + value
    rows.push([talk.language, ...counts.map(String)])
  }
  rows.push(['all', ...totals.map(String)])
  return rows.map((cells) => formatLine(cells, WIDTHS)).join('\n')
}
