export { Subtext, type SubtextOptions } from './client.ts'
export * from './errors.ts'
export type * from './generated/types.ts'
export type { List, Page } from './http/pages.ts'
export type { RequestOptions, ResponseInfo } from './http/transport.ts'
export type { BatchResultsOptions, BatchWaitOptions, ExportOptions } from './resources/batches.ts'
export type { ChatEvent, ListConversationsQuery, Question } from './resources/chat.ts'
export type { DigestWaitOptions } from './resources/digests.ts'
export type { EventsOptions, JobEvent, WaitOptions } from './resources/follow-job.ts'
export type { LibraryExportOptions, LibraryRangeQuery, LibrarySearchQuery, MentionsQuery } from './resources/library.ts'
export type { LibraryChatEvent, LibraryQuestion } from './resources/library-chat.ts'
export type { ListAccountsQuery, ListActionsQuery } from './resources/operations.ts'
export type { AskOptions, SourceVideosQuery, SourceWaitOptions } from './resources/sources.ts'
export type { ReceiptsQuery, UsageBreakdownQuery, UsageHistoryQuery } from './resources/usage.ts'
export type {
  DocumentOptions,
  ImportFile,
  InfographicOptions,
  ListJobsQuery,
  PdfOptions,
  ProcessOptions,
  ResultOptions,
  VideoSubmission,
} from './resources/videos.ts'
export type { ListDeliveriesQuery } from './resources/webhooks.ts'
export { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
