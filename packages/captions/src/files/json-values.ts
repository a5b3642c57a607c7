import { parseClock, roundMilliseconds } from './clock.ts'
import type { RawCue } from './raw-cue.ts'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const listObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
export const memberOf = (value: unknown, ...path: string[]): unknown =>
  path.reduce((member, name) => (isObject(member) ? member[name] : undefined), value)

const firstOf = (item: JsonObject, names: string[]): unknown =>
  names.map((name) => item[name]).find((value) => value !== undefined && value !== null)

/** Returns a number that may be written as text, or null. */
const toNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

const START = ['start', 'startTime', 'start_time', 'ts', 'begin']
const END = ['end', 'endTime', 'end_time', 'end_ts']
const TEXT = ['text', 'body', 'transcript', 'punctuated_word', 'word', 'content', 'value']
const SPEAKER = ['speaker', 'speaker_label', 'speaker_id', 'speakerName']

/** How many milliseconds the numbers of a document count. */
export type TimeUnit = 1 | 1_000

export const timeOf = (item: JsonObject, names: string[], unit: TimeUnit): number | null => {
  const written = firstOf(item, names)
  const value = toNumber(written)
  if (value !== null) return roundMilliseconds(value * unit)
  return typeof written === 'string' ? parseClock(written.trim()) : null
}
export const startOf = (item: JsonObject, unit: TimeUnit): number | null => timeOf(item, START, unit)

function endOf(item: JsonObject, unit: TimeUnit): number | null {
  const end = timeOf(item, END, unit)
  if (end !== null) return end
  const [start, duration] = [startOf(item, unit), timeOf(item, ['duration', 'dur'], unit)]
  return start === null || duration === null ? null : start + duration
}

export const textOf = (item: JsonObject): string => {
  const text = firstOf(item, TEXT)
  return typeof text === 'string' ? text : ''
}

/** Returns the speaker of an item as it is written. Some services number their speakers. */
export function speakerOf(item: JsonObject): string | undefined {
  const speaker = firstOf(item, SPEAKER)
  if (typeof speaker === 'number') return String(speaker)
  return typeof speaker === 'string' && speaker.trim() !== '' ? speaker.trim() : undefined
}

/** An item whose start may be unknown. */
export type TimedItem = Omit<RawCue, 'startMs'> & { startMs: number | null }

export const readItem = (item: JsonObject, unit: TimeUnit): TimedItem => ({
  startMs: startOf(item, unit) ?? startOf(listObjects(item.words)[0] ?? {}, unit),
  endMs: endOf(item, unit) ?? endOf(listObjects(item.words).at(-1) ?? {}, unit),
  text: textOf(item),
  speaker: speakerOf(item),
})

const isPunctuation = (word: JsonObject): boolean => word.type === 'punctuation' || word.type === 'punct'

/** Joins words with times: one cue for each time that a speaker speaks. */
export function joinWords(words: JsonObject[], unit: TimeUnit): TimedItem[] {
  const cues: TimedItem[] = []
  for (const word of words) {
    if (word.type === 'spacing') continue
    const { startMs, endMs, text, speaker } = readItem(word, unit)
    const cue = cues.at(-1)
    if (!cue || (speaker !== cue.speaker && !isPunctuation(word))) cues.push({ startMs, endMs, text, speaker })
    else {
      cue.text += isPunctuation(word) ? text : ` ${text}`
      cue.startMs ??= startMs
      cue.endMs = endMs ?? cue.endMs
    }
  }
  return cues
}
