import { createHash } from 'node:crypto'
import type { Pace } from '../pacer.ts'
import { NOTES_SCHEMA } from '../prompts/answer-schema.ts'
import { buildNotesInstruction, NOTES_MAX_OUTPUT_TOKENS, type Wishes } from '../prompts/instruction.ts'
import { PROMPT_VERSION } from '../prompts/rules.ts'
import { buildDocument, type PromptLine } from '../prompts/transcript-document.ts'
import type { NotesOnParts, SummarySource } from '../summarizer.ts'
import { type Asked, type AskFailure, askModel, type Desk } from './ask-model.ts'
import { type ClaimCheck, checkClaim } from './check-claim.ts'
import type { Evidence, Note } from './evidence.ts'
import { parseNotes } from './parse-answer.ts'
import { type Part, splitLines } from './split-lines.ts'

export interface NoteTaking {
  source: SummarySource
  lines: PromptLine[]
  kind: 'transcript' | 'notes'
  wishes: Wishes
  maxPartTokens: number
  /** Of a document that has the lines from `first` to `last`. */
  evidenceOf(first: number, last: number): Evidence
  check: Omit<ClaimCheck, 'evidence'>
  pace: Pace
  kept?: NotesOnParts
}

/** Parts read at the same time: none reads from the cache of another, and other jobs want their turn. */
const AT_ONCE = 4
/** Half of a part, and half of that, when a part turns out to be too long. */
const MAX_SPLITS = 2

export type NotesTaken = { notes: Note[]; parts: number } | { failure: AskFailure }

/** Notes on all parts of a long document, in its order. One part that cannot be had is all: nothing is left out unseen. */
export async function takeNotes(desk: Desk, work: NoteTaking): Promise<NotesTaken> {
  const parts = splitLines(work.lines, work.maxPartTokens)
  const taken: (Note[] | null)[] = parts.map(() => null)
  const stop = new AbortController()
  const inner = { ...desk, signal: AbortSignal.any([desk.signal, stop.signal]) }
  let failure: AskFailure | null = null
  let next = 0
  const readOn = async (): Promise<void> => {
    while (next < parts.length && !failure) {
      const index = next++
      const notes = await readPart(inner, work, parts[index] as Part, { number: index + 1, of: parts.length })
      if (Array.isArray(notes)) taken[index] = notes
      else failure ??= notes.failure
    }
  }
  const readers = Array.from({ length: Math.min(AT_ONCE, parts.length) }, () =>
    readOn().catch((error) => {
      stop.abort(error)
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(readers)
  desk.signal.throwIfAborted()
  const broken = outcomes.find((outcome) => outcome.status === 'rejected')
  if (broken) throw stop.signal.aborted ? stop.signal.reason : broken.reason
  return failure ? { failure } : { notes: taken.flatMap((notes) => notes ?? []), parts: parts.length }
}

interface Place {
  number: number
  of: number
}

/** The notes that were kept, else new ones, which are kept as soon as they are there. */
async function readPart(
  desk: Desk,
  work: NoteTaking,
  part: Part,
  place: Place,
  splits = 0,
): Promise<Note[] | { failure: AskFailure }> {
  const { kept } = work
  const key = buildKey(desk, work, part, place)
  const known = await kept?.find(key)
  if (known) return known
  const asked = await askForNotes(desk, work, part, place)
  if ('value' in asked) {
    await desk.onSpending({ purpose: 'notes', mode: null, model: desk.model.model, usage: asked.usage })
  } else {
    const isTooMuch = asked.failure === 'cut' || asked.failure === 'too-long'
    if (!isTooMuch || splits === MAX_SPLITS || part.lines.length < 2) return asked
  }
  const notes = 'value' in asked ? orderNotes(asked.value) : await readHalves(desk, work, part, place, splits)
  // Those of the halves stand for the whole, which need not be found too long again.
  if (Array.isArray(notes)) await kept?.keep(key, notes)
  return notes
}

const orderNotes = (notes: Note[]): Note[] => notes.toSorted((a, b) => (a.segmentIds[0] ?? 0) - (b.segmentIds[0] ?? 0))

async function readHalves(
  desk: Desk,
  work: NoteTaking,
  { lines, before }: Part,
  place: Place,
  splits: number,
): Promise<Note[] | { failure: AskFailure }> {
  const notes: Note[] = []
  const middle = Math.ceil(lines.length / 2)
  for (const some of [lines.slice(0, middle), lines.slice(middle)]) {
    const half = await readPart(desk, work, { lines: some, before }, place, splits + 1)
    if (!Array.isArray(half)) return half
    notes.push(...half)
  }
  return notes
}

const evidenceOfPart = ({ evidenceOf }: NoteTaking, { lines }: Part): Evidence =>
  evidenceOf(lines[0]?.id ?? 0, lines.at(-1)?.id ?? 0)

const buildPartInstruction = ({ wishes }: NoteTaking, { number, of }: Place): string =>
  buildNotesInstruction(number, of, wishes)

function askForNotes(desk: Desk, work: NoteTaking, part: Part, place: Place): Promise<Asked<Note[]>> {
  const check = { ...work.check, evidence: evidenceOfPart(work, part) }
  return askModel(desk, {
    document: buildDocument(work.source, part.lines, { kind: work.kind, before: part.before }),
    cacheDocument: false,
    instruction: buildPartInstruction(work, place),
    schema: NOTES_SCHEMA,
    maxOutputTokens: NOTES_MAX_OUTPUT_TOKENS,
    mode: null,
    async read(text) {
      const parsed = parseNotes(text)
      if ('fault' in parsed) return parsed
      const notes: Note[] = []
      for (const claim of parsed.value) {
        await work.pace()
        const { point } = checkClaim(claim, check)
        if (point && point.segmentIds.length > 0) notes.push(point)
      }
      if (notes.length === 0) return { fault: parsed.value.length > 0 ? 'unsupported' : 'empty' }
      return { value: notes }
    },
  })
}

/**
 * Covers what is read, what it stands for, what is asked, of whom, and what the answer is held against. The publisher's
 * words are left out, as they are of the key of a summary: an edited title is no reason to read hours again.
 */
function buildKey(desk: Desk, work: NoteTaking, part: Part, place: Place): Buffer {
  const { source, kind } = work
  const { segmentsOf } = evidenceOfPart(work, part)
  const parts = [
    ...[desk.model.model, PROMPT_VERSION, buildPartInstruction(work, place)],
    ...[source.cues.length, source.outputLanguage, kind, part.before],
    part.lines.map(({ id, text, chapters }) => [id, text, chapters, segmentsOf(id)]),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
