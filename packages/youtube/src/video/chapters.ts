import type { VideoInfo } from '@subtext/contracts'

type Chapter = VideoInfo['chapters'][number]

// The platform's own rule: https://support.google.com/youtube/answer/9884579
const MIN_CHAPTERS = 3
const MAX_CHAPTERS = 500
const MAX_TITLE_LENGTH = 200

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}`
/** Hours, minutes and seconds, or minutes, which may be more than 99, and seconds. */
const TIME = String.raw`[[(]?(?:(\d{1,3}):(?=\d{1,2}:))?(\d{1,3}):(\d{2})[\])]?`
/** What separates a time from a title: spaces, dashes, leaders, arrows and their like. */
const SIGNS = String.raw`[\s\-–—:|.…·•@»→>~=_]`
/** Bullets, emoji or a number before the time. */
const MARKS = String.raw`[^\p{L}\p{N}\n]{0,8}(?:\d{1,3}[.)]\s{1,4})?[^\p{L}\p{N}\n]{0,8}`
/** The end of the chapter, after its start. */
const UNTIL = String.raw`(?:\s{0,4}[-–—~]\s{0,4}[[(]?${CLOCK}[\])]?)?`
// A time followed by a Latin letter, such as "1:30pm", does not count. Scripts without spaces may follow directly.
const TIME_FIRST = new RegExp(
  String.raw`^${MARKS}${TIME}${UNTIL}(?![\d\p{Script=Latin}])${SIGNS}{0,80}(.{0,500})$`,
  'u',
)
const TIME_LAST = new RegExp(String.raw`^(.{1,300}?)${SIGNS}{1,80}${TIME}\s{0,8}$`, 'u')

const seconds = (hours: string | undefined, minutes = '0', rest = '0'): number =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest)

const parseLine = (line: string): Chapter | null => {
  const first = TIME_FIRST.exec(line)
  if (first)
    return {
      title: (first[4] ?? '').trim().slice(0, MAX_TITLE_LENGTH).toWellFormed(),
      start: seconds(first[1], first[2], first[3]),
    }
  const last = TIME_LAST.exec(line)
  if (last)
    return {
      title: (last[1] ?? '').trim().slice(0, MAX_TITLE_LENGTH).toWellFormed(),
      start: seconds(last[2], last[3], last[4]),
    }
  return null
}

/**
 * Parses the chapters of a description by the platform's rules: at least three lines with a time and a title, the first at
 * 0:00 and each later than the one before; of several with one time, the first counts. Times after the end of the video are
 * ignored.
 */
export const parseChapters = (description: string, durationSeconds: number): Chapter[] => {
  const chapters: Chapter[] = []
  for (const line of description.split('\n')) {
    const chapter = parseLine(line)
    if (!chapter || chapter.title === '') continue
    // Too few lines before this one to be a list of chapters.
    if (chapter.start === 0 && chapters.length < MIN_CHAPTERS) chapters.length = 0
    const previous = chapters.at(-1)
    if (previous === undefined && chapter.start !== 0) continue
    if (chapter.start === previous?.start) continue
    if (previous !== undefined && chapter.start < previous.start) break
    if (durationSeconds > 0 && chapter.start >= durationSeconds) break
    chapters.push(chapter)
    if (chapters.length === MAX_CHAPTERS) break
  }
  return chapters.length >= MIN_CHAPTERS ? chapters : []
}
