import { DOCUMENTS } from '../formats.ts'
import { BATCH, BATCH_RESULTS, BATCH_WITH_JOBS, SUBMITTED_BATCH } from './batches.ts'
import { CANCELLED_JOB, COMPLETED_JOB, FAILED_JOB, PROCESSING_JOB, SUBMITTED } from './jobs.ts'
import { API, COMPLETED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import { DEFAULT_RESULT, STRUCTURED_RESULT } from './results.ts'
import { CURRENT_USAGE, USAGE_HISTORY } from './usage.ts'
import { DELIVERY, DELIVERY_WITH_ATTEMPTS, ROTATED_SECRET, SECRET, TEST_DELIVERY } from './webhooks.ts'

interface Example {
  summary: string
  value: unknown
}

/** What the OpenAPI document shows of an operation; a test holds every value against the operation's schemas. */
export interface OperationExamples {
  /** What a success means. */
  answer?: string
  /** Request bodies beside the typical one of the route. */
  bodies?: Record<string, Example>
  /** `data` of the envelope. */
  data?: Record<string, Example>
  /** Documents and event streams, by media type. */
  documents?: Record<string, string>
}

/** Parameters that several operations take. */
export const PARAMETERS: Record<string, { description: string; example: unknown }> = {
  job_id: {
    description: 'Identifier of the job. One that is unknown, malformed or of another account is `NOT_FOUND`.',
    example: JOB_ID,
  },
  batch_id: {
    description: 'Identifier of the batch. One that is unknown, malformed or of another account is `NOT_FOUND`.',
    example: BATCH.batch_id,
  },
  delivery_id: {
    description: 'Identifier of the delivery.',
    example: '0193a1f1-02ab-7b61-9e2f-4d5c6b7a8190',
  },
  url: { description: 'Address of a video.', example: `https://youtu.be/${VIDEO_ID}` },
}

const thumbnail = (name: string, width: number, height: number) => ({
  url: `https://i.ytimg.com/vi/${VIDEO_ID}/${name}.jpg`,
  width,
  height,
})

const sse = (name: string, id: string, data: unknown): string =>
  `event:${name}\nid:${JOB_ID}/${id}\ndata:${JSON.stringify(data)}\n\n`

const SUBMISSIONS: Record<string, Example> = {
  smallest: { summary: 'The least that is needed.', value: { url: `https://youtu.be/${VIDEO_ID}` } },
  everything: {
    summary: 'With everything a Pro plan includes.',
    value: {
      url: VIDEO_URL,
      options: {
        summary_modes: ['tldr', 'detailed', 'study_notes', 'timestamped', 'key_insights'],
        language: 'en',
        max_transcript_length: 500_000,
      },
      webhook_url: 'https://hooks.example.org/subtext',
      priority: 'high',
      custom_instructions: 'Look at what is said about money.',
      client_reference: 'order-1042',
    },
  },
  older: {
    summary: 'With older names of fields (deprecated).',
    value: { video_url: VIDEO_URL, summary_mode: 'tldr' },
  },
}

/** By `operationId`. */
export const EXAMPLES: Record<string, OperationExamples> = {
  submitVideo: {
    answer: 'The job is accepted and will be worked on; `Location` is the path of its status.',
    bodies: SUBMISSIONS,
    data: { accepted: { summary: 'Accepted.', value: SUBMITTED } },
  },
  processVideo: {
    answer: 'The job has been completed; this is its result.',
    data: { completed: { summary: 'Completed in time.', value: DEFAULT_RESULT } },
  },
  getJobStatus: {
    answer: 'The job as it stands. `Retry-After` is there until it has ended.',
    data: {
      processing: { summary: 'Being worked on.', value: PROCESSING_JOB },
      completed: { summary: 'Completed.', value: COMPLETED_JOB },
      failed: { summary: 'Failed.', value: FAILED_JOB },
    },
  },
  getJobResult: {
    answer: 'The result in the format asked for.',
    data: {
      markdown: { summary: 'By default: every text is Markdown.', value: DEFAULT_RESULT },
      json: { summary: 'With `format=json`: segments and citations.', value: STRUCTURED_RESULT },
    },
    documents: Object.fromEntries(DOCUMENTS.map(({ mediaType, example }) => [mediaType, example])),
  },
  followJob: {
    answer: 'The events of the job as they happen.',
    documents: {
      'text/event-stream': [
        sse('progress', 'tldr/', PROCESSING_JOB),
        sse('completed', 'tldr/end', { ...COMPLETED_JOB, result_url: `${API}/videos/result/${JOB_ID}` }),
      ].join(''),
    },
  },
  cancelJob: {
    answer: 'The job has ended, by this or before.',
    data: { cancelled: { summary: 'Cancelled.', value: CANCELLED_JOB } },
  },
  listJobs: {
    answer: 'A page of your jobs.',
    data: {
      page: {
        summary: 'The first page of one job.',
        value: {
          jobs: [COMPLETED_JOB],
          pagination: {
            total: 2,
            limit: 1,
            offset: 0,
            has_more: true,
            next_offset: 1,
            next_cursor: 'Af8Bofz5iSR2G5PXqfwlAMteAAAAAdo8HdvZQj-D',
          },
        },
      },
    },
  },
  submitBatch: {
    answer: 'The batch and all its jobs are accepted; `Location` is the path of its status.',
    bodies: {
      webhook: {
        summary: 'With a webhook at the end.',
        value: {
          videos: [
            { url: VIDEO_URL },
            { url: `https://youtu.be/${VIDEO_ID}`, options: { summary_modes: ['detailed'] } },
          ],
          webhook_url: 'https://hooks.example.org/subtext',
        },
      },
      older: {
        summary: 'In the older form (deprecated).',
        value: { jobs: [{ video_url: VIDEO_URL, summary_mode: 'tldr', custom_instructions: 'Look at the money.' }] },
      },
    },
    data: { accepted: { summary: 'Accepted.', value: SUBMITTED_BATCH } },
  },
  getBatchStatus: {
    answer: 'The batch as it stands. `Retry-After` is there until it has ended.',
    data: { ended: { summary: 'One job of two has failed.', value: BATCH_WITH_JOBS } },
  },
  getBatchResults: {
    answer: 'The results that are there. `Retry-After` is there until the batch has ended.',
    data: { failures: { summary: 'With `include_failed=true`.', value: BATCH_RESULTS } },
  },
  listBatches: {
    answer: 'A page of your batches.',
    data: {
      page: {
        summary: 'All of them.',
        value: {
          batches: [BATCH],
          pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
        },
      },
    },
  },
  getThumbnails: {
    answer: 'The addresses by size.',
    data: {
      three: {
        summary: 'The sizes every video has.',
        value: {
          video_id: VIDEO_ID,
          video_url: VIDEO_URL,
          thumbnails: {
            default: thumbnail('default', 120, 90),
            medium: thumbnail('mqdefault', 320, 180),
            high: thumbnail('hqdefault', 480, 360),
          },
        },
      },
    },
  },
  getWebhookSecret: {
    answer: 'What is known of the secret.',
    data: { only: { summary: 'The only one.', value: SECRET } },
  },
  rotateWebhookSecret: {
    answer: 'The new secret, shown this once.',
    data: { rotated: { summary: 'In place of a former one.', value: ROTATED_SECRET } },
  },
  listWebhookDeliveries: {
    answer: 'A page of your deliveries.',
    data: {
      page: {
        summary: 'All of them.',
        value: {
          deliveries: [DELIVERY],
          pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
        },
      },
    },
  },
  getWebhookDelivery: {
    answer: 'The delivery with its attempts.',
    data: { delivered: { summary: 'Delivered at once.', value: DELIVERY_WITH_ATTEMPTS } },
  },
  redeliverWebhook: {
    answer: 'It is delivered again.',
    data: {
      due: { summary: 'Due at once.', value: { ...DELIVERY, status: 'pending', next_attempt_at: COMPLETED_AT } },
    },
  },
  testWebhook: {
    answer: 'The event is on its way; `Location` is the path of its delivery.',
    data: { waiting: { summary: 'Not yet tried.', value: TEST_DELIVERY } },
  },
  getCurrentUsage: {
    answer: 'The current month, the quotas and the request limit.',
    data: { pro: { summary: 'Of a Pro account.', value: CURRENT_USAGE } },
  },
  getUsageHistory: {
    answer: 'The periods and their sums.',
    data: { day: { summary: 'A single day.', value: USAGE_HISTORY } },
  },
}
