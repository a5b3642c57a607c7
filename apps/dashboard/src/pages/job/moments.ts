import type { Segment, VideoInfo } from '@subtext/sdk'
import { formatTime } from '../../format.ts'
import { findSegment } from './find-in-transcript.ts'

/** Returns the line that a time leads to: one that begins within that whole second, or else the one being spoken. */
export function findLineAt(lines: readonly Segment[], seconds: number): Segment | undefined {
  let at = findSegment(lines, seconds) ?? -1
  // Lines can begin at the same time.
  while (at > 0 && lines[at - 1]?.start === seconds) at--
  const [spoken, next] = [lines[at], lines[at + 1]]
  return spoken?.start !== seconds && next && Math.floor(next.start) === seconds ? next : (spoken ?? next)
}

/** Returns the time by which a link leads to a line: its whole second, unless another line comes first in it. */
export function timeOf(lines: readonly Segment[], line: Segment): number {
  const whole = Math.floor(line.start)
  return findLineAt(lines, whole) === line ? whole : line.start
}

/**
 * Returns the line that the hash of a job's address names: by its second, as in `#t=83`, or by a place in the text that begins with
 * that line, as in `#t=83&at=120`. Undefined if it names none.
 */
export function findLinkedLine(lines: readonly Segment[], hash: string): Segment | undefined {
  const [, seconds, at] = /^#?t=(\d+(?:\.\d+)?)(?:&at=(\d+))?$/.exec(hash) ?? []
  const first = seconds === undefined ? undefined : findLineAt(lines, Number(seconds))
  if (!first || at === undefined) return first
  let left = Number(at)
  // Lines are joined by one blank.
  return lines.slice(lines.indexOf(first)).find(({ text }) => {
    left -= text.length + 1
    return left < 0
  })
}

type Video = Pick<VideoInfo, 'title' | 'url' | 'source'>

/** Returns a line as a quotation, with its source and the link to its moment. */
export function quoteLine(
  { text, start, speaker }: Pick<Segment, 'text' | 'start' | 'speaker'>,
  { title, url, source }: Video,
): string {
  const isImport = source !== undefined && source.kind !== 'video'
  const moment = new URL(url)
  if (isImport) moment.hash = `t=${Math.floor(start)}`
  else moment.searchParams.set('t', `${Math.floor(start)}s`)
  const said = speaker === undefined ? text : `${speaker}: ${text}`
  return `“${said}” (${title}, ${formatTime(start)}, ${moment})`
}

/** Whether a video is none of the platform: captions of the account and episodes of podcasts cannot be submitted by a URL. */
export const hasNoUrl = (videoId: string): boolean => /^(?:imp|pod)-/.test(videoId)

/** Returns the second that a link to this video names; null for any other link. */
export function readMoment(href: string, videoId: string): number | null {
  if (!URL.canParse(href)) return null
  const { searchParams, hash } = new URL(href)
  const [, seconds] = /^(\d+)s?$/.exec(searchParams.get('t') ?? '') ?? []
  const [, second] = /^#t=(\d+)$/.exec(hash) ?? []
  // Links of imports and episodes lead to their recording, or to the page of their job.
  if (hasNoUrl(videoId)) return second === undefined ? null : Number(second)
  return searchParams.get('v') === videoId && seconds !== undefined ? Number(seconds) : null
}
