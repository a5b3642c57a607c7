import { ServiceError, type SubmitBatch, type ValidationIssue, VideoOptions } from '@subtext/contracts'
import { parseVideoUrl } from '../videos/video-url.ts'

/** A video of a batch, whichever form of the request it came in. */
export interface BatchEntry {
  url: string
  options: VideoOptions
  webhook_url?: string | undefined
  custom_instructions?: string | undefined
  /** Place in the request of a field that is named as in a submission of its own. */
  fieldAt: (field: string) => string
}

/** The names that fields have in the older form. */
const OLDER_NAMES: Record<string, string> = { url: 'video_url', 'options.summary_modes': 'summary_mode' }

/** The videos in their order. */
export function readEntries({ videos = [], jobs = [] }: Pick<SubmitBatch, 'videos' | 'jobs'>): BatchEntry[] {
  return [
    ...videos.map((video, index) => ({ ...video, fieldAt: (field: string) => `videos.${index}.${field}` })),
    ...jobs.map(({ video_url, summary_mode, ...job }, index) => ({
      ...job,
      url: video_url,
      options: VideoOptions.parse({ summary_modes: [summary_mode] }),
      fieldAt: (field: string) => `jobs.${index}.${OLDER_NAMES[field] ?? field}`,
    })),
  ]
}

export const videoUrlIssue = (path: string): ValidationIssue => ({
  path,
  message: new ServiceError('INVALID_VIDEO_URL').message,
  code: 'invalid_video_url',
})

const URL_FIELDS = { videos: 'url', jobs: 'video_url' }

/** URLs that name no video, in a request that is wrong in other ways as well. */
export function findVideoUrlIssues(body: unknown): ValidationIssue[] {
  return Object.entries(URL_FIELDS).flatMap(([list, field]) => {
    const entries = fieldOf(body, list)
    if (!Array.isArray(entries)) return []
    return entries.flatMap((entry: unknown, index) => {
      const url = fieldOf(entry, field)
      return typeof url !== 'string' || parseVideoUrl(url) ? [] : [videoUrlIssue(`${list}.${index}.${field}`)]
    })
  })
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
