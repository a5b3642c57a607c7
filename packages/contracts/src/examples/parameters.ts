import { ACCOUNT_KEY, ACCOUNT_SESSION } from './account.ts'
import { BATCH } from './batches.ts'
import { JOB_ID, VIDEO_ID } from './meta.ts'
import { OPERATED_ACCOUNT } from './operations.ts'
import { CONVERSATION_RECEIPT } from './receipts.ts'
import { FEED_ID, FEED_TOKEN, SUBSCRIPTION_ID } from './subscriptions.ts'

/** Parameters of several operations. */
export const PARAMETERS: Record<string, { description: string; example: unknown }> = {
  job_id: {
    description: 'ID of the job. An ID that is unknown, malformed or of another account is `NOT_FOUND`.',
    example: JOB_ID,
  },
  batch_id: {
    description: 'ID of the batch. An ID that is unknown, malformed or of another account is `NOT_FOUND`.',
    example: BATCH.batch_id,
  },
  conversation_id: {
    description: 'ID of the conversation. One that is unknown, malformed or of another job is `NOT_FOUND`.',
    example: CONVERSATION_RECEIPT.conversation_id,
  },
  delivery_id: {
    description: 'ID of the delivery.',
    example: '0193a1f1-02ab-7b61-9e2f-4d5c6b7a8190',
  },
  subscription_id: { description: 'ID of the subscription.', example: SUBSCRIPTION_ID },
  feed_id: { description: 'ID of the feed.', example: FEED_ID },
  feed_token: { description: 'Part of the address of the feed.', example: FEED_TOKEN },
  key_id: {
    description: 'ID of the key.',
    example: ACCOUNT_KEY.id,
  },
  account_id: { description: 'ID of the account.', example: OPERATED_ACCOUNT.id },
  session_id: { description: 'ID of the session.', example: ACCOUNT_SESSION.id },
  url: { description: 'URL of a video.', example: `https://youtu.be/${VIDEO_ID}` },
}
