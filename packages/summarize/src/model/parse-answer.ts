import type { SummaryMode } from '@subtext/contracts'
import type { Claim } from '@subtext/evidence'
import { z } from 'zod'
import { MODE_ANSWERS, NotesAnswer, QUOTED_MODE_ANSWERS, QuotedNotesAnswer } from '../prompts/answer-schema.ts'
import type { RepairReason } from '../prompts/instruction.ts'

/** A summary as a model wrote it, in the structure that all modes share. */
export interface Draft {
  overview: Claim[]
  sections: DraftSection[]
}

export interface DraftSection {
  heading: string
  /** The part of every summary of the mode that this section is; missing for a topic of the video. */
  role?: 'takeaways' | 'actions' | 'keyTerms' | 'questions'
  points: Claim[]
}

export type Parsed<T> = { value: T } | { fault: RepairReason }

const Answers = z.record(z.string(), z.unknown())

const FENCE = '```'

/**
 * Returns the contents of a code fence around the whole text. Fences are common and harmless, while prose around the object
 * would leave us guessing. Uses no regular expressions, since an answer may be one long run of line breaks.
 */
function unfence(text: string): string {
  const trimmed = text.trim()
  const firstBreak = trimmed.indexOf('\n')
  if (firstBreak < 0 || !trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE)) return trimmed
  const opening = trimmed.slice(FENCE.length, firstBreak).trim()
  const inner = trimmed.slice(firstBreak, -FENCE.length)
  const lastBreak = inner.lastIndexOf('\n')
  const isFenced = (opening === '' || opening === 'json') && inner.slice(lastBreak).trim() === ''
  return isFenced ? inner.slice(0, lastBreak) : trimmed
}

export function parseJson(text: string): Parsed<unknown> {
  try {
    return { value: JSON.parse(unfence(text)) }
  } catch {
    return { fault: 'json' }
  }
}

type WireSources = { segment_ids: number[] } | { citations: { segment_id: number; quote: string }[] }
type WirePoint = { text: string } & WireSources
const toClaim = (point: WirePoint): Claim =>
  'citations' in point
    ? {
        text: point.text,
        segmentIds: point.citations.map(({ segment_id }) => segment_id),
        quotes: point.citations.map(({ quote }) => quote),
      }
    : { text: point.text, segmentIds: point.segment_ids }
const toClaims = (points: WirePoint[]): Claim[] => points.map(toClaim)
const toSections = (sections: (Omit<DraftSection, 'points'> & { points: WirePoint[] })[]): DraftSection[] =>
  sections.map(({ points, ...section }) => ({ ...section, points: toClaims(points) }))

type ReadDraft = (entry: unknown) => Parsed<Draft>

const readAs =
  <S extends z.ZodType>(schema: S, toDraft: (answer: z.infer<S>) => Draft): ReadDraft =>
  (entry) => {
    const answer = schema.safeParse(entry)
    return answer.success ? { value: toDraft(answer.data) } : { fault: 'structure' }
  }

const buildReaders = (answers: typeof MODE_ANSWERS | typeof QUOTED_MODE_ANSWERS): Record<SummaryMode, ReadDraft> => ({
  tldr: readAs(answers.tldr, ({ sentences }) => ({ overview: toClaims(sentences), sections: [] })),
  detailed: readAs(answers.detailed, ({ overview, sections }) => ({
    overview: toClaims(overview),
    sections: toSections(sections),
  })),
  study_notes: readAs(answers.study_notes, ({ overview, concepts, terms, questions }) => {
    const meanings = terms.entries.map((entry) => ({ ...entry, text: `${entry.term}: ${entry.meaning}` }))
    const answered = questions.entries.map((entry) => ({ ...entry, text: `${entry.question} ${entry.answer}` }))
    const further = [
      { heading: terms.heading, role: 'keyTerms' as const, points: meanings },
      { heading: questions.heading, role: 'questions' as const, points: answered },
    ]
    return { overview: toClaims(overview), sections: toSections([...concepts, ...further]) }
  }),
  timestamped: readAs(answers.timestamped, ({ moments }) => ({
    overview: [],
    sections: [{ heading: '', points: toClaims(moments) }],
  })),
  key_insights: readAs(answers.key_insights, ({ claim, takeaways, actions }) => ({
    overview: [toClaim(claim)],
    sections: toSections([
      { ...takeaways, role: 'takeaways' },
      { ...actions, role: 'actions' },
    ]),
  })),
})

const READERS = buildReaders(MODE_ANSWERS)
const QUOTED_READERS = buildReaders(QUOTED_MODE_ANSWERS)

/**
 * Parses the summaries of an answer separately: one that is missing or malformed does not affect the others. `isQuoting`:
 * whether quotations were requested.
 */
export function parseSummaries(
  text: string,
  modes: readonly SummaryMode[],
  isQuoting = false,
): Map<SummaryMode, Parsed<Draft>> {
  const readers = isQuoting ? QUOTED_READERS : READERS
  const json = parseJson(text)
  const answers = 'value' in json ? Answers.safeParse(json.value).data : undefined
  const parse = (mode: SummaryMode): Parsed<Draft> => {
    if ('fault' in json) return json
    const listed = answers?.[mode]
    // A summary that is not in a list is accepted as well.
    return readers[mode](Array.isArray(listed) ? listed[0] : listed)
  }
  return new Map(modes.map((mode) => [mode, parse(mode)]))
}

export function parseNotes(text: string, isQuoting = false): Parsed<Claim[]> {
  const json = parseJson(text)
  if ('fault' in json) return json
  const answer = (isQuoting ? QuotedNotesAnswer : NotesAnswer).safeParse(json.value)
  return answer.success ? { value: toClaims(answer.data.notes) } : { fault: 'structure' }
}
