import type { LibrarySearchResult, MentionCounts } from '../routes/library.ts'
import { JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import type { OperationExamples } from './operation-examples.ts'

const SEARCH_RESULT: LibrarySearchResult = {
  hits: [
    {
      job_id: JOB_ID,
      video_id: VIDEO_ID,
      video_url: VIDEO_URL,
      video_title: 'The woman who mapped the sea floor',
      channel: {
        id: 'UCuAXFkgsw1L7xaCfnd5JJOw',
        name: 'Sea Talks',
        url: 'https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw',
      },
      published_at: '2025-11-03T00:00:00.000Z',
      passages: [
        {
          start: 12.4,
          end: 18.1,
          url: `${VIDEO_URL}&t=12s`,
          segment_ids: [4, 5],
          text: 'Her father drew soil maps for the government. Later she mapped the ocean.',
          highlights: [
            [16, 25],
            [67, 72],
          ],
        },
      ],
    },
  ],
  searched: { videos: 214 },
  pagination: { limit: 20, has_more: false, next_cursor: null },
}

const moment = { job_id: JOB_ID, start: 47.2, url: `${VIDEO_URL}&t=47s` }

const MENTIONS: MentionCounts = {
  total: 9,
  groups: [
    {
      key: '2025-10',
      mentions: 2,
      videos: 1,
      first: moment,
      last: { ...moment, start: 301.5, url: `${VIDEO_URL}&t=301s` },
    },
    { key: '2025-11', mentions: 7, videos: 3, first: moment, last: moment },
  ],
}

export const LIBRARY_EXAMPLES: Record<string, OperationExamples> = {
  searchLibrary: {
    response: 'The videos that fit, with the passages that fit best.',
    data: { page: { summary: 'The only page.', value: SEARCH_RESULT } },
  },
  countMentions: {
    response: 'How often it is said.',
    data: { months: { summary: 'By month.', value: MENTIONS } },
  },
}
