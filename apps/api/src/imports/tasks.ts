import { createHash } from 'node:crypto'
import { chunkCues, decodeBytes, readCaptionFile, UnreadableCaptionsError } from '@subtext/captions'
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
  /** Takes the parts of a file and outputs its text. */
  decode: { options: undefined; input: Uint8Array; output: string; result: { refusal?: CaptionsRefusal } }
}

/** Line ends and a byte order mark make no difference. */
const digestOf = (captions: string): string =>
  createHash('sha256')
    .update(captions.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
    .digest('base64url')

/** Returns the refusal that an error is. Throws any other error. */
function toRefusal(error: unknown): CaptionsRefusal {
  if (!(error instanceof UnreadableCaptionsError)) throw error
  const { reason, message, line } = error
  return { reason, message, line }
}

/** Reads captions on the calling thread. */
export function readInline(captions: string, options: ReadingOptions): CaptionsReading & { cues: Cue[] } {
  try {
    const { cues, language } = readCaptionFile(captions, options)
    return { cues, language, digest: digestOf(captions) }
  } catch (error) {
    return { cues: [], refusal: toRefusal(error) }
  }
}

/** Decodes a file on the calling thread. */
export function decodeInline(file: Uint8Array): { text: string; refusal?: CaptionsRefusal } {
  try {
    return { text: decodeBytes(file).text }
  } catch (error) {
    return { text: '', refusal: toRefusal(error) }
  }
}

/** Copying a part from one thread to another takes a few milliseconds. */
const PART_CHARS = 500_000

export function* splitText(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PART_CHARS) yield text.slice(at, at + PART_CHARS)
}

const read: Task<ReadingTasks['read']> = async (options, input, output) => {
  const parts: string[] = []
  for await (const part of input) parts.push(part)
  const { cues, ...reading } = readInline(parts.join(''), options)
  for (const chunk of chunkCues(cues)) await output(chunk)
  return reading
}

const decode: Task<ReadingTasks['decode']> = async (_, input, output) => {
  const parts: Uint8Array[] = []
  for await (const part of input) parts.push(part)
  const { text, ...rest } = decodeInline(Buffer.concat(parts))
  for (const part of splitText(text)) await output(part)
  return rest
}

export const TASKS: { [N in keyof ReadingTasks]: Task<ReadingTasks[N]> } = { read, decode }
