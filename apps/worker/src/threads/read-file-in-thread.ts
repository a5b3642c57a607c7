import { type CaptionFile, readCaptionFile, UnreadableCaptionsError } from '@subtext/captions'
import type { Cue } from '@subtext/contracts'
import type { Threads } from './open-threads.ts'

/** Reads the transcript of an episode, in whatever format. Rejects with `UnreadableCaptionsError`. */
export type ReadTranscriptFile = (
  body: Uint8Array,
  signal: AbortSignal,
) => Promise<Pick<CaptionFile, 'cues' | 'language'>>

/** Reading this much takes less than 40 ms; starting a thread takes half a second. */
const MAX_INLINE_BYTES = 400_000

/** Reads small files on the calling thread and large ones in a thread of the pool. */
export const createThreadedFileReader =
  (threads: Threads, maxInlineBytes = MAX_INLINE_BYTES): ReadTranscriptFile =>
  async (body, signal) => {
    if (body.byteLength <= maxInlineBytes) return readCaptionFile(body, { pages: true })
    const chunks: Cue[][] = []
    const onOutput = (chunk: Cue[]): void => void chunks.push(chunk)
    const read = await threads.run('file', { options: null, input: [new Uint8Array(body)], onOutput, signal })
    if ('reason' in read) throw new UnreadableCaptionsError(read.reason, read.message, read.line)
    return { cues: chunks.flat(), language: read.language }
  }
