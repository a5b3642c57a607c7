import { type CaptionOrder, type CaptionResult, readCaptions } from '@subtext/captions'
import type { Cue, ErrorCode, Summary, SummaryMode } from '@subtext/contracts'
import { createExtractiveSummarizer, type SummarySource, type UnwrittenReason } from '@subtext/summarize'
import { cutCues } from './cut-cues.ts'

/** What each task takes and gives. Input and output come in parts, so that handing them over blocks neither side. */
export interface Tasks {
  /** The body of a caption track in, its cues out. */
  captions: { order: CaptionOrder; input: Uint8Array; output: Cue[]; result: Omit<CaptionResult, 'cues'> }
  /** Cues in, the extractive summaries out, one at a time. The thread is ended when nobody wants them any more. */
  summaries: { order: SummariesOrder; input: Cue[]; output: Summary; result: UnwrittenMode[] }
}
export type TaskName = keyof Tasks

interface SummariesOrder {
  source: Omit<SummarySource, 'cues'>
  modes: SummaryMode[]
}

/** An `UnwrittenSummary` as a message can hold it. */
interface UnwrittenMode {
  mode: SummaryMode
  reason: UnwrittenReason
  code: ErrorCode
  message: string
  retryable: boolean
}

export type Task<N extends TaskName> = (
  order: Tasks[N]['order'],
  input: AsyncIterable<Tasks[N]['input']>,
  give: (part: Tasks[N]['output']) => Promise<void>,
) => Promise<Tasks[N]['result']>

const collect = async <T>(parts: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const part of parts) all.push(part)
  return all
}

const readTrack: Task<'captions'> = async (order, input, give) => {
  const { cues, ...rest } = await readCaptions(await collect(input), order)
  for (const part of cutCues(cues)) await give(part)
  return rest
}

const summarize: Task<'summaries'> = async ({ source, modes }, input, give) => {
  const cues = (await collect(input)).flat()
  const unwritten = await createExtractiveSummarizer().summarize({ ...source, cues }, modes, {
    signal: new AbortController().signal,
    onSummary: give,
    onSpending: async () => {},
  })
  return unwritten.map(({ error: { code, message, retryable }, ...rest }) => ({ ...rest, code, message, retryable }))
}

export const TASKS: { [N in TaskName]: Task<N> } = { captions: readTrack, summaries: summarize }
