import { parseUsageRange, type receipts } from '@subtext/contracts'
import {
  getBatchReceipt,
  getConversationReceipt,
  getJobReceipt,
  listReceipts,
  readReceipts,
} from '@subtext/core/receipts'
import type { Handlers } from '../http/mount.ts'
import { presentReceiptDocument, presentReceiptPage, selectReceiptFormat } from '../presenters/receipts.ts'

export const receiptHandlers: Handlers<typeof receipts> = {
  job: async (ctx, { params }, { actor }) => ({ data: await getJobReceipt(ctx, actor, params.job_id) }),
  conversation: async (ctx, { params }, { actor }) => ({
    data: await getConversationReceipt(ctx, actor, params.job_id, params.conversation_id),
  }),
  batch: async (ctx, { params }, { actor }) => ({ data: await getBatchReceipt(ctx, actor, params.batch_id) }),
  list: async (ctx, { query }, { actor, accepts }) => {
    const range = { ...query, ...parseUsageRange(query) }
    const format = selectReceiptFormat(query.format, accepts)
    if (format === 'json') return { data: presentReceiptPage(await listReceipts(ctx, actor, range), query.limit) }
    return presentReceiptDocument(readReceipts(ctx, actor, range), format, {
      download: query.download === '1',
      byteOrderMark: query.bom && query.bom === 'true',
    })
  },
}
