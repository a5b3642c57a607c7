import type { z } from 'zod'
import {
  type BatchReceipt,
  type ConversationReceipt,
  type JobReceipt,
  RECEIPT_REASONS,
  type ReceiptLine,
  type ReceiptList,
  type ReceiptReason,
  type UsageReceipt,
} from '../routes/receipts.ts'
import { BATCH } from './batches.ts'
import { CONVERSATION_ID } from './chats.ts'
import { COMPLETED_AT, CREATED_AT, JOB_ID, VIDEO_ID } from './meta.ts'

const line = (at: string, reason: ReceiptReason, fields: Omit<ReceiptLine, 'at' | 'reason' | 'message'>) => ({
  at,
  ...fields,
  reason,
  message: RECEIPT_REASONS[reason],
})

const MODEL = 'claude-haiku-5-5'
const MESSAGE_ID = '0193a1f5-2f90-7c3b-9e11-6a4d8b0c2f35'

const LINES: ReceiptLine[] = [
  line(CREATED_AT, 'accepted', { kind: 'quota', action: 'reserve', quantity: 1, unit: 'video', cost_usd: 0 }),
  line('2026-01-01T00:00:12.110Z', 'requested', {
    kind: 'platform',
    action: 'fetch',
    quantity: 3,
    unit: 'request',
    cost_usd: 0,
  }),
  line('2026-01-01T00:00:19.820Z', 'written', {
    kind: 'model',
    action: 'summary',
    mode: 'key_insights',
    model: MODEL,
    quantity: 2_840,
    unit: 'token',
    cost_usd: 0.000412,
  }),
  line('2026-01-01T00:00:20.150Z', 'reused', {
    kind: 'model',
    action: 'summary',
    mode: 'tldr',
    model: MODEL,
    quantity: 0,
    unit: 'token',
    cost_usd: 0,
    saved_usd: 0.000301,
  }),
]
const sums = { total: { cost_usd: 0.000412, tokens: 2_840 }, quota_effect: 1 }
const job = { job_id: JOB_ID, video_id: VIDEO_ID, client_reference: 'order-1042' }

export const JOB_RECEIPT: JobReceipt = {
  ...job,
  status: 'completed',
  is_final: true,
  ended_at: COMPLETED_AT,
  lines: LINES,
  ...sums,
}

export const FAILED_JOB_RECEIPT: JobReceipt = {
  ...job,
  status: 'failed',
  is_final: true,
  ended_at: COMPLETED_AT,
  lines: [
    ...LINES.slice(0, 2),
    line(COMPLETED_AT, 'job_failed', {
      kind: 'quota',
      action: 'release',
      quantity: -1,
      unit: 'video',
      cost_usd: 0,
    }),
  ],
  total: { cost_usd: 0, tokens: 0 },
  quota_effect: 0,
}

export const BATCH_RECEIPT: BatchReceipt = {
  batch_id: BATCH.batch_id,
  status: 'completed',
  is_final: true,
  lines: LINES.map((entry) => ({ ...entry, job_id: JOB_ID })),
  ...sums,
}

const CHAT_LINE = line('2026-01-01T00:07:41.300Z', 'answered', {
  kind: 'model',
  action: 'chat',
  model: MODEL,
  quantity: 2_310,
  unit: 'token',
  cost_usd: 0.000288,
})

export const CONVERSATION_RECEIPT: ConversationReceipt = {
  job_id: JOB_ID,
  conversation_id: CONVERSATION_ID,
  lines: [{ ...CHAT_LINE, message_id: MESSAGE_ID }],
  total: { cost_usd: 0.000288, tokens: 2_310 },
  quota_effect: 0,
}

const JOB_USAGE: UsageReceipt = {
  subject: 'job',
  ...job,
  outcome: 'completed',
  ended_at: COMPLETED_AT,
  lines: LINES,
  ...sums,
}

export const RECEIPTS: z.input<typeof ReceiptList> = {
  receipts: [JOB_USAGE],
  pagination: { limit: 100, has_more: false, next_cursor: null },
}

export const RECEIPTS_CSV = `ended_at,subject,job_id,batch_id,conversation_id,message_id,video_id,client_reference,outcome,at,kind,action,mode,model,quantity,unit,cost_usd,saved_usd,reason,message\r
"${COMPLETED_AT}","job","${JOB_ID}","","","","${VIDEO_ID}","order-1042","completed","${CREATED_AT}","quota","reserve","","","1","video","0.000000","","accepted","${RECEIPT_REASONS.accepted}"\r
`

export const RECEIPTS_NDJSON = `${JSON.stringify({ ...JOB_USAGE, lines: LINES.slice(0, 1) })}\n`
