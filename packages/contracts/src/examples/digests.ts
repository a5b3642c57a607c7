import type { Digest } from '../routes/digests.ts'
import { BATCH_WITH_JOBS } from './batches.ts'
import { COMPLETED_AT, CREATED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'

export const DIGEST_ID = '0193a1f8-3b52-7d90-a0c4-7e1f2d6b9c33'

const POINT = {
  text: 'Rivers flow and end in the sea.',
  citations: [{ job_id: JOB_ID, segment_id: 3, start: 6, url: `${VIDEO_URL}&t=6s` }],
}

const DIGEST: Digest = {
  digest_id: DIGEST_ID,
  batch_id: BATCH_WITH_JOBS.batch_id,
  status: 'completed',
  themes: [{ title: 'Where rivers end', points: [POINT] }],
  disagreements: [],
  videos: [
    {
      job_id: JOB_ID,
      video_id: VIDEO_ID,
      video_url: VIDEO_URL,
      video_title: 'Rivers and the sea',
      status: 'completed',
      one_line: POINT.text,
    },
  ],
  coverage: { videos: 1, failed: 0, points: 4, points_used: 1 },
  created_at: CREATED_AT,
  completed_at: COMPLETED_AT,
}

/** By `operationId`. */
export const DIGEST_EXAMPLES = {
  createDigest: {
    response: 'The digest is being made. `Location` is its path.',
    bodies: {
      focused: {
        summary: 'With a wish, in German.',
        value: { instructions: 'What do they recommend?', output_language: 'de' },
      },
    },
    data: {
      queued: {
        summary: 'Accepted.',
        value: {
          digest_id: DIGEST_ID,
          batch_id: BATCH_WITH_JOBS.batch_id,
          status: 'queued' as const,
          created_at: CREATED_AT,
        },
      },
    },
  },
  getDigest: {
    response: 'The digest.',
    data: { completed: { summary: 'Completed.', value: DIGEST } },
    documents: {
      'text/markdown': '# Digest\n\n## Where rivers end\n\n- Rivers flow and end in the sea.\n',
      'text/html': '<!DOCTYPE html>\n<html lang="en">…</html>',
    },
  },
}
