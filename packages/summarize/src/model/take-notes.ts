import { createHash } from 'node:crypto'
import { type ClaimCheck, checkClaim, type Evidence, type Note } from '@subtext/evidence'
import type { Pace } from '../pacer.ts'
import { selectSchemas } from '../prompts/answer-schema.ts'
import { buildNotesInstruction, NOTES_MAX_OUTPUT_TOKENS, type OutputOptions } from '../prompts/instruction.ts'
import type { ResolveLines } from '../prompts/resolve-lines.ts'
import { PROMPT_VERSION } from '../prompts/rules.ts'
import { buildDocument, type PromptLine } from '../prompts/transcript-document.ts'
import type { NotesStore, SummarySource } from '../summarizer.ts'
import { askModel, type ModelContext, type ModelResult, type RequestFailure, recordSpending } from './ask-model.ts'
import { parseNotes } from './parse-answer.ts'
import { splitLines, type TranscriptPart } from './split-lines.ts'

export interface NotesTask {
  source: SummarySource
  lines: PromptLine[]
  kind: 'transcript' | 'notes'
  outputOptions: OutputOptions
  maxPartTokens: number
  /** See `DocumentOptions`. */
  isShort: boolean
  /** Returns the evidence of a document with the lines from `first` to `last`. */
  evidenceOf(first: number, last: number): Evidence
  check: Omit<ClaimCheck, 'evidence'> & { resolve?: ResolveLines }
  pace: Pace
  store?: NotesStore
}

/** Maximum number of parts read at the same time. Parts do not share a cached prefix, and other jobs need calls as well. */
const CONCURRENT_PARTS = 4
/** A part that turns out to be too long is split into halves, and a half that is too long is split again. */
const MAX_SPLITS = 2

export type NotesResult = { notes: Note[]; parts: number } | { failure: RequestFailure }

/** Takes notes on all parts of a long document, in its order. Fails if one part does, so that no gap goes unnoticed. */
export async function takeNotes(context: ModelContext, task: NotesTask): Promise<NotesResult> {
  const parts = splitLines(task.lines, task.maxPartTokens)
  const queue = parts.entries()
  const taken: (Note[] | null)[] = parts.map(() => null)
  const stop = new AbortController()
  const inner = { ...context, signal: AbortSignal.any([context.signal, stop.signal]) }
  let failure: RequestFailure | null = null
  const readParts = async (): Promise<void> => {
    // All readers take parts from the same queue.
    for (const [index, part] of queue) {
      const notes = await readPart(inner, task, part, { number: index + 1, total: parts.length })
      if (Array.isArray(notes)) taken[index] = notes
      else failure ??= notes.failure
      if (failure) return
    }
  }
  const readers = Array.from({ length: Math.min(CONCURRENT_PARTS, parts.length) }, () =>
    readParts().catch((error) => {
      stop.abort(error)
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(readers)
  context.signal.throwIfAborted()
  const rejected = outcomes.find((outcome) => outcome.status === 'rejected')
  if (rejected) throw stop.signal.aborted ? stop.signal.reason : rejected.reason
  return failure ? { failure } : { notes: taken.flatMap((notes) => notes ?? []), parts: parts.length }
}

interface PartPosition {
  number: number
  total: number
}

/** Returns the saved notes on a part, or takes them and saves them at once. */
async function readPart(
  context: ModelContext,
  task: NotesTask,
  part: TranscriptPart,
  position: PartPosition,
  splits = 0,
): Promise<Note[] | { failure: RequestFailure }> {
  const { store } = task
  const key = buildKey(context, task, part, position)
  const saved = await store?.find(key)
  if (saved) return saved
  const result = await requestNotes(context, task, part, position)
  if ('value' in result) {
    await recordSpending(context, { purpose: 'notes', mode: null, model: context.model.model, usage: result.usage })
  } else {
    const isTooMuch = result.failure === 'cut' || result.failure === 'too-long'
    if (!isTooMuch || splits === MAX_SPLITS || part.lines.length < 2) return result
  }
  const notes = 'value' in result ? orderNotes(result.value) : await readHalves(context, task, part, position, splits)
  // The notes on the halves are saved for the whole part, so that it is not tried as a whole again.
  if (Array.isArray(notes)) await store?.save(key, notes)
  return notes
}

const orderNotes = (notes: Note[]): Note[] => notes.toSorted((a, b) => (a.segmentIds[0] ?? 0) - (b.segmentIds[0] ?? 0))

async function readHalves(
  context: ModelContext,
  task: NotesTask,
  { lines, before }: TranscriptPart,
  position: PartPosition,
  splits: number,
): Promise<Note[] | { failure: RequestFailure }> {
  const notes: Note[] = []
  const middle = Math.ceil(lines.length / 2)
  for (const half of [lines.slice(0, middle), lines.slice(middle)]) {
    const taken = await readPart(context, task, { lines: half, before }, position, splits + 1)
    if (!Array.isArray(taken)) return taken
    notes.push(...taken)
  }
  return notes
}

const evidenceOfPart = ({ evidenceOf }: NotesTask, { lines }: TranscriptPart): Evidence =>
  evidenceOf(lines[0]?.id ?? 0, lines.at(-1)?.lastId ?? lines.at(-1)?.id ?? 0)

const buildPartInstruction = ({ outputOptions }: NotesTask, { number, total }: PartPosition): string =>
  buildNotesInstruction(number, total, outputOptions)

function requestNotes(
  context: ModelContext,
  task: NotesTask,
  part: TranscriptPart,
  position: PartPosition,
): Promise<ModelResult<Note[]>> {
  const check = { ...task.check, evidence: evidenceOfPart(task, part) }
  const { isQuoting = false } = task.outputOptions
  return askModel(context, {
    document: buildDocument(task.source, part.lines, { kind: task.kind, before: part.before, isShort: task.isShort }),
    cacheDocument: null,
    instruction: buildPartInstruction(task, position),
    schema: selectSchemas(isQuoting).notes,
    maxOutputTokens: NOTES_MAX_OUTPUT_TOKENS,
    mode: null,
    async read(text) {
      const parsed = parseNotes(text, isQuoting)
      if ('fault' in parsed) return parsed
      const notes: Note[] = []
      for (const claim of parsed.value) {
        await task.pace()
        const { point } = checkClaim(check.resolve?.(claim) ?? claim, check)
        if (point && point.segmentIds.length > 0) notes.push(point)
      }
      if (notes.length === 0) return { fault: parsed.value.length > 0 ? 'unsupported' : 'empty' }
      return { value: notes }
    },
  })
}

/**
 * Covers what is read, the segments behind it, the instruction, the model, and what the answer is checked against. The
 * publisher's texts are left out, as in the key of a summary: an edited title is no reason to read hours of transcript again.
 */
function buildKey(context: ModelContext, task: NotesTask, part: TranscriptPart, position: PartPosition): Buffer {
  const { source, kind } = task
  const { segmentsOf } = evidenceOfPart(task, part)
  const parts = [
    context.model.model,
    PROMPT_VERSION,
    buildPartInstruction(task, position),
    source.cues.length,
    source.outputLanguage,
    kind,
    part.before,
    part.lines.map(({ id, text, chapters }) => [id, text, chapters, segmentsOf(id)]),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
