import { type ImportSource, type SubmitBatch, type ValidationIssue, VideoOptions } from '@subtext/contracts'
import { videoUrlIssue } from '../videos/refuse-url.ts'
import { parseVideoUrl } from '../videos/video-url.ts'

/** A video of a batch, from either form of the request. */
export interface BatchEntry {
  /** Absent for imported captions. */
  url?: string | undefined
  /** Of a video that was selected from a source. */
  videoId?: string | undefined
  import?: ImportSource | undefined
  options: VideoOptions
  webhook_url?: string | undefined
  custom_instructions?: string | undefined
  /** Returns the path in the request of a field, given its name in the request for a single video. */
  fieldAt: (field: string) => string
}

/** Names of fields in the older form of the request. */
const OLDER_NAMES: Record<string, string> = { url: 'video_url', 'options.summary_modes': 'summary_mode' }

/** Returns the videos in the order of the request. `selected`: the IDs of those that were selected from its source. */
export function readEntries(request: SubmitBatch, selected: readonly string[]): BatchEntry[] {
  const { videos = [], jobs = [], options, custom_instructions } = request
  const ofSource = {
    options: options ?? VideoOptions.parse({}),
    custom_instructions,
    fieldAt: (field: string) => field,
  }
  return [
    ...selected.map((videoId) => ({ ...ofSource, videoId })),
    ...videos.map((video, index) => ({
      ...video,
      options: video.import?.options ?? video.options,
      fieldAt: (field: string) => `videos.${index}.${field}`,
    })),
    ...jobs.map(({ video_url, summary_mode, ...job }, index) => ({
      ...job,
      url: video_url,
      options: VideoOptions.parse({ summary_modes: [summary_mode] }),
      fieldAt: (field: string) => `jobs.${index}.${OLDER_NAMES[field] ?? field}`,
    })),
  ]
}

const URL_FIELDS = { videos: 'url', jobs: 'video_url' }

/** Finds the URLs that do not name a video, in a request that failed validation for other reasons as well. */
export function findVideoUrlIssues(body: unknown): ValidationIssue[] {
  return Object.entries(URL_FIELDS).flatMap(([list, field]) => {
    const entries = fieldOf(body, list)
    if (!Array.isArray(entries)) return []
    return entries.flatMap((entry: unknown, index) => {
      const url = fieldOf(entry, field)
      return typeof url !== 'string' || parseVideoUrl(url) ? [] : [videoUrlIssue(`${list}.${index}.${field}`, url)]
    })
  })
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
