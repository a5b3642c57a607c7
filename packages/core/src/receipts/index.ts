export { getBatchReceipt, getConversationReceipt, getJobReceipt } from './get.ts'
export { listReceipts, type ReceiptPage, type ReceiptQuery, readReceipts } from './list.ts'
