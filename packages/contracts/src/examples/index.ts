import { DOCUMENTS } from '../formats.ts'
import { ACCOUNT_EXAMPLES } from './account.ts'
import { BATCH, BATCH_RESULTS, BATCH_WITH_JOBS, SUBMITTED_BATCH } from './batches.ts'
import { CHAT_EXAMPLES } from './chats.ts'
import { DIGEST_EXAMPLES } from './digests.ts'
import { BATCH_ESTIMATE, REFUSED_ESTIMATE, VIDEO_ESTIMATE } from './estimates.ts'
import { CANCELLED_JOB, COMPLETED_JOB, DERIVED, FAILED_JOB, PROCESSING_JOB, SUBMITTED } from './jobs.ts'
import { LIBRARY_EXAMPLES } from './library.ts'
import { API, COMPLETED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import { OPERATED_ACCOUNTS_EXAMPLES } from './operated-accounts.ts'
import type { Example, OperationExamples } from './operation-examples.ts'
import { OPERATIONS_EXAMPLES } from './operations.ts'
import {
  BATCH_RECEIPT,
  CONVERSATION_RECEIPT,
  FAILED_JOB_RECEIPT,
  JOB_RECEIPT,
  RECEIPTS,
  RECEIPTS_CSV,
  RECEIPTS_NDJSON,
} from './receipts.ts'
import { DEFAULT_RESULT, STRUCTURED_RESULT } from './results.ts'
import { SERVICE_INDEX } from './service.ts'
import { SOURCE_EXAMPLES, SOURCE_ID } from './sources.ts'
import { SUBSCRIPTION_EXAMPLES } from './subscriptions.ts'
import { TEMPLATE_EXAMPLES } from './templates.ts'
import { USAGE_EXAMPLES } from './usage.ts'
import { DELIVERY, DELIVERY_WITH_ATTEMPTS, ROTATED_SECRET, SECRET, TEST_DELIVERY } from './webhooks.ts'

const thumbnail = (name: string, width: number, height: number) => ({
  url: `https://i.ytimg.com/vi/${VIDEO_ID}/${name}.jpg`,
  width,
  height,
})

const sse = (name: string, id: string, data: unknown): string =>
  `event:${name}\nid:${JOB_ID}/${id}\ndata:${JSON.stringify(data)}\n\n`

const SUBMISSIONS: Record<string, Example> = {
  smallest: { summary: 'Minimal request.', value: { url: `https://youtu.be/${VIDEO_ID}` } },
  everything: {
    summary: 'With all features.',
    value: {
      url: VIDEO_URL,
      options: {
        summary_modes: ['tldr', 'detailed', 'study_notes', 'timestamped', 'key_insights'],
        language: 'en',
        max_transcript_length: 500_000,
      },
      webhook_url: 'https://hooks.example.org/subtext',
      priority: 'high',
      custom_instructions: 'Focus on what is said about money.',
      client_reference: 'order-1042',
    },
  },
  older: {
    summary: 'With deprecated names of fields.',
    value: { video_url: VIDEO_URL, summary_mode: 'tldr' },
  },
}

/** By `operationId`. */
export const EXAMPLES: Record<string, OperationExamples> = {
  getServiceIndex: {
    data: { index: { summary: 'Shortened to one operation.', value: SERVICE_INDEX } },
  },
  submitVideo: {
    response: 'The job is accepted and will be processed. `Location` is the path of its status.',
    bodies: SUBMISSIONS,
    data: { accepted: { summary: 'Accepted.', value: SUBMITTED } },
  },
  importCaptions: {
    response: 'The job is accepted and will be processed. `Location` is the path of its status.',
    data: {
      accepted: {
        summary: 'Accepted.',
        value: { ...SUBMITTED, video_id: 'imp-3q2-7wXb0_LkTz9a', video_url: 'https://media.example.com/budget.mp4' },
      },
    },
  },
  processVideo: {
    response: 'The job has completed. This is its result.',
    data: { completed: { summary: 'Completed in time.', value: DEFAULT_RESULT } },
  },
  getJobStatus: {
    response: 'The current state of the job. `Retry-After` is present until it has ended.',
    data: {
      processing: { summary: 'In progress.', value: PROCESSING_JOB },
      completed: { summary: 'Completed.', value: COMPLETED_JOB },
      failed: { summary: 'Failed.', value: FAILED_JOB },
    },
  },
  getJobResult: {
    response: 'The result in the requested format.',
    data: {
      default: { summary: 'By default: every text is Markdown.', value: DEFAULT_RESULT },
      json: { summary: 'With `format=json`: segments and citations.', value: STRUCTURED_RESULT },
    },
    // Of several with one media type, the first is what `Accept` selects.
    documents: Object.fromEntries(DOCUMENTS.map(({ mediaType, example }) => [mediaType, example]).reverse()),
  },
  getInfographic: { response: 'The picture.' },
  exportPdf: { response: 'The PDF.' },
  exportBatch: { response: 'The archive, or lines of JSON.' },
  exportLibrary: { response: 'The archive, or lines of JSON.' },
  followJob: {
    response: 'The events of the job as they happen.',
    documents: {
      'text/event-stream': [
        sse('progress', 'tldr/', PROCESSING_JOB),
        sse('completed', 'tldr/end', { ...COMPLETED_JOB, result_url: `${API}/videos/result/${JOB_ID}` }),
      ].join(''),
    },
  },
  cancelJob: {
    response: 'The job has ended, through this request or before.',
    data: { cancelled: { summary: 'Cancelled.', value: CANCELLED_JOB } },
  },
  deleteJob: { response: 'The job is deleted.' },
  deriveJob: {
    response: 'The job is accepted and will be processed. `Location` is the path of its status.',
    bodies: {
      infographic: { summary: 'An infographic only.', value: { generate_infographic: true } },
      rewritten: {
        summary: 'The summaries of the source again, in another language.',
        value: { output_language: 'de' },
      },
    },
    data: { accepted: { summary: 'Accepted.', value: DERIVED } },
  },
  listJobs: {
    response: 'A page of your jobs.',
    data: {
      page: {
        summary: 'The first of two pages.',
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
    response: 'The batch and all its jobs are accepted. `Location` is the path of its status.',
    bodies: {
      webhook: {
        summary: 'With a webhook.',
        value: {
          videos: [
            { url: VIDEO_URL },
            { url: `https://youtu.be/${VIDEO_ID}`, options: { summary_modes: ['detailed'] } },
          ],
          webhook_url: 'https://hooks.example.org/subtext',
        },
      },
      source: {
        summary: 'The newest ten videos of a source that you have not processed.',
        value: {
          source: { source_id: SOURCE_ID, select: { newest: 10, not_processed: true } },
          options: { summary_modes: ['tldr'] },
        },
      },
      older: {
        summary: 'In the deprecated form.',
        value: { jobs: [{ video_url: VIDEO_URL, summary_mode: 'tldr', custom_instructions: 'Focus on money.' }] },
      },
    },
    data: { accepted: { summary: 'Accepted.', value: SUBMITTED_BATCH } },
  },
  getBatchStatus: {
    response: 'The current state of the batch. `Retry-After` is present until it has ended.',
    data: { ended: { summary: 'One of two jobs has failed.', value: BATCH_WITH_JOBS } },
  },
  getBatchResults: {
    response: 'The results available so far. `Retry-After` is present until the batch has ended.',
    data: { failures: { summary: 'With `include_failed=true`.', value: BATCH_RESULTS } },
  },
  listBatches: {
    response: 'A page of your batches.',
    data: {
      page: {
        summary: 'The only page.',
        value: {
          batches: [BATCH],
          pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
        },
      },
    },
  },
  ...CHAT_EXAMPLES,
  ...DIGEST_EXAMPLES,
  getThumbnails: {
    response: 'The URLs by size.',
    data: {
      three: {
        summary: 'The sizes that every video has.',
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
    response: 'The first characters and dates of the secrets.',
    data: { only: { summary: 'Without previous secrets.', value: SECRET } },
  },
  rotateWebhookSecret: {
    response: 'The new secret. It is not shown again.',
    data: { rotated: { summary: 'After a rotation.', value: ROTATED_SECRET } },
  },
  listWebhookDeliveries: {
    response: 'A page of your deliveries.',
    data: {
      page: {
        summary: 'The only page.',
        value: {
          deliveries: [DELIVERY],
          pagination: { total: 1, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
        },
      },
    },
  },
  getWebhookDelivery: {
    response: 'The delivery with its attempts.',
    data: { delivered: { summary: 'Delivered at once.', value: DELIVERY_WITH_ATTEMPTS } },
  },
  redeliverWebhook: {
    response: 'The event is delivered again.',
    data: {
      due: { summary: 'Due now.', value: { ...DELIVERY, status: 'pending', next_attempt_at: COMPLETED_AT } },
    },
  },
  testWebhook: {
    response: 'The event will be delivered. `Location` is the path of its delivery.',
    data: { waiting: { summary: 'Before the first attempt.', value: TEST_DELIVERY } },
  },
  ...ACCOUNT_EXAMPLES,
  ...OPERATIONS_EXAMPLES,
  ...OPERATED_ACCOUNTS_EXAMPLES,
  ...USAGE_EXAMPLES,
  estimateVideo: {
    response: 'Whether the request would be accepted, and what it would use and cost.',
    bodies: SUBMISSIONS,
    data: {
      accepted: { summary: 'Captions and one of two summaries are already stored.', value: VIDEO_ESTIMATE },
      refused: { summary: 'The request would be refused.', value: REFUSED_ESTIMATE },
    },
  },
  estimateBatch: {
    response: 'Whether the batch would be accepted, and what it would use and cost.',
    data: { one: { summary: 'A batch of one video.', value: BATCH_ESTIMATE } },
  },
  getJobReceipt: {
    response: 'What the job has cost so far, and why.',
    data: {
      completed: { summary: 'A job that reused one of two summaries.', value: JOB_RECEIPT },
      failed: { summary: 'A job that failed.', value: FAILED_JOB_RECEIPT },
    },
  },
  getConversationReceipt: {
    response: 'What the answers have cost.',
    data: { one: { summary: 'A single answer.', value: CONVERSATION_RECEIPT } },
  },
  getBatchReceipt: {
    response: 'What the jobs of the batch have cost so far, and why.',
    data: { ended: { summary: 'A batch of one job.', value: BATCH_RECEIPT } },
  },
  ...SOURCE_EXAMPLES,
  ...SUBSCRIPTION_EXAMPLES,
  ...LIBRARY_EXAMPLES,
  ...TEMPLATE_EXAMPLES,
  listReceipts: {
    response: 'The receipts in the requested format.',
    data: { page: { summary: 'The only page.', value: RECEIPTS } },
    documents: { 'text/csv': RECEIPTS_CSV, 'application/x-ndjson': RECEIPTS_NDJSON },
  },
}
