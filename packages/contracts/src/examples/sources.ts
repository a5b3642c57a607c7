import type { Source, SourceVideo } from '../routes/sources.ts'
import { COMPLETED_AT, CREATED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import type { OperationExamples } from './operation-examples.ts'

export const SOURCE_ID = '0193a1f5-2d10-7c31-9b42-6a0e1f2d3c4b'

const LISTING: Source = {
  source_id: SOURCE_ID,
  kind: 'playlist',
  url: 'https://www.youtube.com/playlist?list=PLBCF2DAC6FFB574DE',
  status: 'listing',
}

const READY: Source = {
  ...LISTING,
  title: 'Lectures',
  status: 'ready',
  listed_at: COMPLETED_AT,
  videos_total: 2,
  truncated: false,
}

const FAILED: Source = {
  ...LISTING,
  status: 'failed',
  error: {
    code: 'SOURCE_UNAVAILABLE',
    message: 'The source is private.',
    retryable: false,
    details: { reason: 'private' },
  },
}

const VIDEOS: SourceVideo[] = [
  {
    video_id: VIDEO_ID,
    video_url: VIDEO_URL,
    title: 'Rivers and the sea',
    duration_seconds: 212,
    published_at: CREATED_AT,
    published_at_approximate: true,
    position: 1,
    type: 'video',
    state: 'listed',
    job_id: JOB_ID,
    job_status: 'completed',
  },
  {
    video_id: '9bZkp7q19f0',
    video_url: 'https://www.youtube.com/watch?v=9bZkp7q19f0',
    title: 'For our members',
    position: 2,
    type: 'video',
    state: 'unavailable',
    reason: 'members_only',
  },
]

export const SOURCE_EXAMPLES: Record<string, OperationExamples> = {
  askForSource: {
    response: 'The source. `Location` is its path.',
    bodies: {
      channel: { summary: 'A channel by its handle.', value: { url: '@GoogleDevelopers' } },
      refresh: { summary: 'Listed anew in any case.', value: { url: '@GoogleDevelopers', refresh: true } },
    },
    data: {
      listing: { summary: 'It is being listed.', value: LISTING },
      ready: { summary: 'It was listed a moment ago.', value: READY },
    },
  },
  listSources: {
    response: 'A page of your sources.',
    data: {
      page: {
        summary: 'The only page.',
        value: {
          sources: [READY],
          pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
        },
      },
    },
  },
  getSource: {
    response: 'The source. `Retry-After` is present while it is being listed.',
    data: {
      ready: { summary: 'Listed.', value: READY },
      failed: { summary: 'It could not be listed.', value: FAILED },
    },
  },
  listSourceVideos: {
    response: 'A page of its videos.',
    data: {
      page: {
        summary: 'The only page.',
        value: { videos: VIDEOS, pagination: { limit: 50, has_more: false, next_cursor: null } },
      },
    },
  },
  deleteSource: { response: 'The source is forgotten.' },
}
