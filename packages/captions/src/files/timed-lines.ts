import { roundMilliseconds, toMilliseconds } from './clock.ts'
import { lineAt, listLines } from './lines.ts'
import { type RawCaptions, type RawCue, refuseTooMany } from './raw-cue.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

const TIME = String.raw`(?:(\d{1,6}):)?(\d{1,3}):(\d{2})(?:[.,](\d{1,3}))?(?![\d:])`
const OPEN = String.raw`[[(<【]?\s{0,4}`
const CLOSE = String.raw`\s{0,4}[\])>】]?`
const RANGE = String.raw`(?:\s{0,8}(?:--?>|[-–—→])\s{0,8}${OPEN}${TIME}${CLOSE})?`
/** A line that begins with a time, such as `0:16 text`, `[00:01:02.5] text` or `00:01 - 00:04`. */
const TIMED_LINE = new RegExp(String.raw`^\s{0,20}${OPEN}${TIME}${CLOSE}${RANGE}\s{0,8}(?:[-–—|:]\s{1,8})?(.*)$`, 's')
/** Further times of a line of lyrics that is sung more than once. */
const MORE_TIMES = new RegExp(String.raw`^\[${TIME}\]`)
const NAME = String.raw`([\p{L}\p{N}][^\t:()[\]]{0,60}?)`
/** A name with a time behind it, such as `Ana Torres (00:00):`, with what is said on the next lines. */
const NAMED_TIME = new RegExp(
  String.raw`^\s{0,8}${NAME}(?:\s{1,8}[([]${TIME}[)\]]|\s{2,20}${TIME}|\t${TIME})\s{0,4}:?\s{0,20}$`,
  'u',
)

const readTime = (parts: (string | undefined)[]): number | null => {
  const [hours, minutes, seconds, fraction] = parts
  if (minutes === undefined) return null
  const value = toMilliseconds(hours, minutes, seconds, fraction)
  return value === null ? null : roundMilliseconds(value)
}

interface TimedLine {
  startsMs: number[]
  endMs: number | null
  rest: string
}

function readTimedLine(line: string): TimedLine | null {
  const parts = TIMED_LINE.exec(line)
  if (parts) {
    const startMs = readTime(parts.slice(1, 5))
    if (startMs === null) return null
    const startsMs = [startMs]
    let rest = parts[9] ?? ''
    for (let more = MORE_TIMES.exec(rest); more; more = MORE_TIMES.exec(rest)) {
      startsMs.push(readTime(more.slice(1, 5)) ?? startMs)
      rest = rest.slice(more[0].length)
    }
    return { startsMs, endMs: readTime(parts.slice(5, 9)), rest }
  }
  const named = NAMED_TIME.exec(line)
  if (!named) return null
  const startMs = readTime(named.slice(2, 6)) ?? readTime(named.slice(6, 10)) ?? readTime(named.slice(10, 14))
  return startMs === null ? null : { startsMs: [startMs], endMs: null, rest: `${named[1]}: ` }
}

const ATTENDEES = /^Attendees[^\S\n]*\n([^\n]*)\n\s*Transcript[^\S\n]*\n/m
const MAX_ATTENDEES = 1_000
const MEETING_ENDED = /^Meeting ended after (?:(\d{1,3}):)?(\d{1,3}):(\d{2})/

/** Reads the transcript of a meeting in Google Meet, which says the time every few minutes, beginning with 0. */
function readMeeting(document: string): RawCue[] | null {
  const head = ATTENDEES.exec(document)
  if (!head) return null
  const attendees = (head[1] ?? '').split(',', MAX_ATTENDEES).map((name) => name.trim())
  const cues: RawCue[] = []
  let startMs = 0
  let since = 0
  const end = (endMs: number): void => {
    for (const cue of cues.slice(since)) cue.endMs = endMs
    since = cues.length
    startMs = endMs
  }
  for (const { text } of listLines(document.slice(head.index + head[0].length))) {
    const ended = MEETING_ENDED.exec(text)
    const time = ended ? readTime(ended.slice(1, 4)) : readTimedLine(text)?.startsMs[0]
    if (time !== undefined && time !== null) end(time)
    if (ended) break
    const speaker = attendees.find((name) => name !== '' && text.startsWith(`${name}:`))
    const last = cues.at(-1)
    if (speaker) cues.push({ startMs, endMs: null, text: text.slice(speaker.length + 1), speaker })
    else if (last && last.endMs === null && time === undefined) last.text += `\n${text}`
  }
  return cues
}

/** Lines of lyrics with several times are repeated. A song at most triples. */
const MAX_GROWTH = 4
const MIN_TOTAL_CHARS = 1_000_000

/** A text that the next lines may continue. */
interface OpenText extends Omit<TimedLine, 'rest'> {
  text: string
  /** Whether the next line follows without a line break: nothing but a name came before it. */
  isJoined: boolean
}

/**
 * Reads text with a time at the beginning of a line or on its own line. What comes before the first time is a head. Throws if
 * there is no time.
 */
export function readTimedLines(document: string): RawCaptions {
  const text = document.replace(/\r\n?/g, '\n')
  const meeting = readMeeting(text)
  if (meeting && meeting.length > 0) return { cues: meeting }
  const cues: RawCue[] = []
  const maxChars = Math.max(MIN_TOTAL_CHARS, document.length * MAX_GROWTH)
  let open: OpenText | null = null
  let chars = 0
  const close = (line: number): void => {
    if (!open) return
    chars += open.text.length * open.startsMs.length
    refuseTooMany(cues.length + open.startsMs.length, line)
    if (chars > maxChars) throw new UnreadableCaptionsError('too_long', 'The lines of the text repeat too often.', line)
    for (const startMs of open.startsMs) cues.push({ startMs, endMs: open.endMs, text: open.text })
  }
  for (const { number, text: line } of listLines(text)) {
    const timed = readTimedLine(line)
    if (timed) {
      close(number)
      const { rest, ...times } = timed
      open = { ...times, text: rest, isJoined: rest === '' || rest.endsWith(': ') }
    } else if (open) {
      open.text += open.isJoined ? line : `\n${line}`
      if (line !== '') open.isJoined = line.endsWith(': ')
    }
  }
  close(lineAt(text, text.length))
  if (cues.length === 0) {
    throw new UnreadableCaptionsError('no_times', 'The text has no times. Each line or paragraph needs one.')
  }
  return { cues }
}

const TABLE_HEAD = /^start\tend\ttext[^\S\n]*$/

/** Reads the table of Whisper: start and end in milliseconds, and text, separated by tabs. */
export function readTable(document: string): RawCaptions {
  const cues: RawCue[] = []
  for (const { number, text } of listLines(document)) {
    const [start = '', end = '', ...words] = text.split('\t')
    const [startMs, endMs] = [start, end].map((time) =>
      /^\d{1,12}$/.test(time) ? roundMilliseconds(Number(time)) : null,
    )
    if (startMs !== null && startMs !== undefined) cues.push({ startMs, endMs: endMs ?? null, text: words.join(' ') })
    refuseTooMany(cues.length, number)
  }
  return { cues }
}

export const isTable = (head: string): boolean => TABLE_HEAD.test(head.split(/\r|\n/)[0] ?? '')
