import { type SubmitBatch, VideoOptions } from '@subtext/contracts'

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
