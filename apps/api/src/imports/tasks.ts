import { createHash } from 'node:crypto'
import { chunkCues, readCaptionFile, UnreadableCaptionsError } from '@subtext/captions'
import type { CaptionFormat, CaptionsProblem, Cue } from '@subtext/contracts'
import type { Task } from '@subtext/runtime/threads'

/** Why captions cannot be read, as it can be sent in a message. */
export interface CaptionsRefusal {
  reason: CaptionsProblem
  message: string
  line: number | undefined
}

/** What is known of captions besides their cues. `language`: the one that the file says. */
export type CaptionsReading = { language: string | null; digest: string } | { refusal: CaptionsRefusal }

export interface ReadingOptions {
  format: CaptionFormat | undefined
  speakers: string[] | undefined
}

/** The types of each task. */
export interface ReadingTasks {
  /** Takes the parts of a text and outputs its cues. */
  read: { options: ReadingOptions; input: string; output: Cue[]; result: CaptionsReading }
}

/** Line ends and a byte order mark make no difference. */
const digestOf = (captions: string): string =>
  createHash('sha256')
    .update(captions.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
    .digest('base64url')

/** Reads captions on the calling thread. */
export function readInline(captions: string, options: ReadingOptions): CaptionsReading & { cues: Cue[] } {
  try {
    const { cues, language } = readCaptionFile(captions, options)
    return { cues, language, digest: digestOf(captions) }
  } catch (error) {
    if (!(error instanceof UnreadableCaptionsError)) throw error
    const { reason, message, line } = error
    return { cues: [], refusal: { reason, message, line } }
  }
}

const read: Task<ReadingTasks['read']> = async (options, input, output) => {
  const parts: string[] = []
  for await (const part of input) parts.push(part)
  const { cues, ...reading } = readInline(parts.join(''), options)
  for (const chunk of chunkCues(cues)) await output(chunk)
  return reading
}

export const TASKS: { [N in keyof ReadingTasks]: Task<ReadingTasks[N]> } = { read }
