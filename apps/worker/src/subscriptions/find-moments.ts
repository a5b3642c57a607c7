import type { Cue, SubscriptionMatch, SubscriptionMatchMoment } from '@subtext/contracts'
import type { FinishedJob } from '@subtext/core/jobs'
import { buildWatchUrl } from '@subtext/render'
import { buildPattern, createTextFolder, findMatches, findSegment, foldTranscript } from '@subtext/search'
import { createPacer } from '@subtext/summarize'

/** More would not be read. */
const MAX_MOMENTS = 20
/** How long the search may keep the event loop busy: everything else in the process waits for it. */
const SLICE_MS = 5

/** Quotation marks around a phrase are how searches write it. */
const unquote = (text: string): string => text.replace(/^"(.*)"$/su, '$1')

/** Returns where a video says what a subscription looks for, in its order: each passage once. */
export async function findMoments(
  { job, description }: FinishedJob,
  { any }: SubscriptionMatch,
  signal: AbortSignal,
): Promise<SubscriptionMatchMoment[]> {
  const { language } = description.track
  const folder = createTextFolder(language)
  const patterns = any.map((text) => buildPattern(unquote(text), folder)).filter(({ length }) => length > 0)
  const cues: Cue[] = []
  for await (const some of description.cues()) cues.push(...some)
  const pace = createPacer(signal, SLICE_MS)
  const transcript = await foldTranscript(cues, language, pace, folder)
  const matches = await findMatches(transcript, patterns, pace)
  const segments = new Set(matches.map(({ first }) => findSegment(transcript, transcript.starts[first] ?? 0)))
  return [...segments].slice(0, MAX_MOMENTS).flatMap((segment) => {
    const cue = cues[segment - 1]
    if (!cue) return []
    const place = job.videoUrl ?? job.videoId
    return [{ start: cue.startMs / 1_000, url: buildWatchUrl(place, cue.startMs), text: cue.text }]
  })
}
