import {
  type CaptionOptions,
  type CaptionResult,
  chunkCues,
  readCaptionFile,
  readCaptions,
  UnreadableCaptionsError,
} from '@subtext/captions'
import type { CaptionsProblem, Cue, ErrorCode, Summary, SummaryMode } from '@subtext/contracts'
import type { Task } from '@subtext/runtime/threads'
import { buildIndexTerms, foldTranscript, type IndexTerms } from '@subtext/search'
import { createExtractiveSummarizer, type SummarySource, type UnwrittenReason } from '@subtext/summarize'

/** The types of each task. */
export interface Tasks {
  /** Takes the body of a caption track and outputs its cues. */
  captions: { options: CaptionOptions; input: Uint8Array; output: Cue[]; result: Omit<CaptionResult, 'cues'> }
  /** Takes the transcript of an episode and outputs its cues. */
  file: { options: null; input: Uint8Array; output: Cue[]; result: { language: string | null } | UnreadableFile }
  /** Takes cues and outputs the extractive summaries one at a time. Aborting the work terminates the thread. */
  summaries: { options: SummariesOptions; input: Cue[]; output: Summary; result: UnwrittenMode[] }
  /** Takes cues and returns what their transcript is found by. */
  terms: { options: { language: string }; input: Cue[]; output: never; result: IndexTerms }
}

/** Why a file cannot be read, as it can be sent in a message. */
interface UnreadableFile {
  reason: CaptionsProblem
  message: string
  line: number | undefined
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

const readFile: Task<Tasks['file']> = async (_, input, output) => {
  try {
    const { cues, language } = readCaptionFile(Buffer.concat(await collect(input)), { pages: true })
    for (const chunk of chunkCues(cues)) await output(chunk)
    return { language }
  } catch (error) {
    if (!(error instanceof UnreadableCaptionsError)) throw error
    const { reason, message, line } = error
    return { reason, message, line }
  }
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
  file: readFile,
  summaries: summarize,
  terms: listTerms,
}
