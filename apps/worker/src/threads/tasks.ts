import { type CaptionOptions, type CaptionResult, chunkCues, readCaptions } from '@subtext/captions'
import type { Cue, ErrorCode, Summary, SummaryMode } from '@subtext/contracts'
import type { Task } from '@subtext/runtime/threads'
import { buildIndexTerms, foldTranscript, type IndexTerms } from '@subtext/search'
import { createExtractiveSummarizer, type SummarySource, type UnwrittenReason } from '@subtext/summarize'

/** The types of each task. */
export interface Tasks {
  /** Takes the body of a caption track and outputs its cues. */
  captions: { options: CaptionOptions; input: Uint8Array; output: Cue[]; result: Omit<CaptionResult, 'cues'> }
  /** Takes cues and outputs the extractive summaries one at a time. Aborting the work terminates the thread. */
  summaries: { options: SummariesOptions; input: Cue[]; output: Summary; result: UnwrittenMode[] }
  /** Takes cues and returns what their transcript is found by. */
  terms: { options: { language: string }; input: Cue[]; output: never; result: IndexTerms }
}

interface SummariesOptions {
  source: Omit<SummarySource, 'cues'>
  modes: SummaryMode[]
}

/** An `UnwrittenSummary` that can be sent in a message. */
interface UnwrittenMode {
  mode: SummaryMode
  reason: UnwrittenReason
  code: ErrorCode
  message: string
  retryable: boolean
}

const collect = async <T>(chunks: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

const readTrack: Task<Tasks['captions']> = async (options, input, output) => {
  const { cues, ...rest } = await readCaptions(await collect(input), options)
  for (const chunk of chunkCues(cues)) await output(chunk)
  return rest
}

const summarize: Task<Tasks['summaries']> = async ({ source, modes }, input, output) => {
  const cues = (await collect(input)).flat()
  const unwritten = await createExtractiveSummarizer().summarize({ ...source, cues }, modes, {
    signal: new AbortController().signal,
    onSummary: output,
    onSpending: async () => {},
  })
  return unwritten.map(({ error: { code, message, retryable }, ...rest }) => ({ ...rest, code, message, retryable }))
}

/** A thread has nothing else to do. */
const noPace = async (): Promise<void> => {}

const listTerms: Task<Tasks['terms']> = async ({ language }, input) => {
  const cues = (await collect(input)).flat()
  return buildIndexTerms(await foldTranscript(cues, language, noPace), noPace)
}

export const TASKS: { [N in keyof Tasks]: Task<Tasks[N]> } = {
  captions: readTrack,
  summaries: summarize,
  terms: listTerms,
}
