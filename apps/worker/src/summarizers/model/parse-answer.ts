import type { SummaryMode } from '@subtext/contracts'
import { z } from 'zod'
import { MODE_ANSWERS, type ModeAnswer, NotesAnswer } from '../../prompts/answer-schema.ts'
import type { RepairReason } from '../../prompts/instruction.ts'
import type { Claim } from './check-claim.ts'

/** A summary as a model made it, in the shape that all modes share. */
export interface Draft {
  overview: Claim[]
  sections: DraftSection[]
}

export interface DraftSection {
  heading: string
  /** What it is in every summary of its mode; missing for a topic of the video. */
  role?: 'takeaways' | 'actions' | 'keyTerms' | 'questions'
  points: Claim[]
}

export type Parsed<T> = { value: T } | { fault: RepairReason }

const Answers = z.object({ summaries: z.array(z.looseObject({ mode: z.string() })) })

/** Prose around the object is not ours to guess; a fence around it is harmless and seen often. */
const FENCE = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/

function parseJson(text: string): Parsed<unknown> {
  try {
    return { value: JSON.parse(FENCE.exec(text)?.[1] ?? text) }
  } catch {
    return { fault: 'json' }
  }
}

type WirePoint = { text: string; segment_ids: number[] }
const toClaim = ({ text, segment_ids }: WirePoint): Claim => ({ text, segmentIds: segment_ids })
const toClaims = (points: WirePoint[]): Claim[] => points.map(toClaim)
const toSections = (sections: (Omit<DraftSection, 'points'> & { points: WirePoint[] })[]): DraftSection[] =>
  sections.map(({ points, ...section }) => ({ ...section, points: toClaims(points) }))

function toDraft(answer: ModeAnswer): Draft {
  switch (answer.mode) {
    case 'tldr':
      return { overview: toClaims(answer.sentences), sections: [] }
    case 'detailed':
      return { overview: toClaims(answer.overview), sections: toSections(answer.sections) }
    case 'study_notes': {
      const terms = answer.terms.entries.map((entry) => ({ ...entry, text: `${entry.term}: ${entry.meaning}` }))
      const questions = answer.questions.entries.map((entry) => ({
        ...entry,
        text: `${entry.question} ${entry.answer}`,
      }))
      const further = [
        { heading: answer.terms.heading, role: 'keyTerms' as const, points: terms },
        { heading: answer.questions.heading, role: 'questions' as const, points: questions },
      ]
      return { overview: toClaims(answer.overview), sections: toSections([...answer.concepts, ...further]) }
    }
    case 'timestamped':
      return { overview: [], sections: [{ heading: '', points: toClaims(answer.moments) }] }
    case 'key_insights': {
      const sections = toSections([
        { ...answer.takeaways, role: 'takeaways' },
        { ...answer.actions, role: 'actions' },
      ])
      return { overview: [toClaim(answer.claim)], sections }
    }
  }
}

/** The summaries of an answer, each by itself: one that is missing or of another structure leaves the others alone. */
export function parseSummaries(text: string, modes: readonly SummaryMode[]): Map<SummaryMode, Parsed<Draft>> {
  const json = parseJson(text)
  const answers = 'value' in json ? Answers.safeParse(json.value) : null
  const parse = (mode: SummaryMode): Parsed<Draft> => {
    if ('fault' in json) return json
    const entry = answers?.data?.summaries.find((summary) => summary.mode === mode)
    const answer = MODE_ANSWERS[mode].safeParse(entry)
    return answer.success ? { value: toDraft(answer.data) } : { fault: 'structure' }
  }
  return new Map(modes.map((mode) => [mode, parse(mode)]))
}

export function parseNotes(text: string): Parsed<Claim[]> {
  const json = parseJson(text)
  if ('fault' in json) return json
  const answer = NotesAnswer.safeParse(json.value)
  return answer.success ? { value: toClaims(answer.data.notes) } : { fault: 'structure' }
}
