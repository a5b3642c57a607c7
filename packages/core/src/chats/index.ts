export {
  type AnswerSource,
  completeAnswer,
  failAnswer,
  findStoredAnswer,
  keepAnswerLease,
  readAnswerSource,
  type WrittenAnswer,
} from './answer.ts'
export { type AskContext, askQuestion, type ChatPolicy, type OpenedQuestion } from './ask.ts'
export {
  awaitExchange,
  deleteConversation,
  type FullConversation,
  failAbandonedAnswers,
  getConversation,
  listConversations,
} from './conversations.ts'
export type { ChatConversation, ChatExchange, StoredAnswer } from './conversations-sql.ts'
export { completeExchange, failExchangesOfJob, openExchange } from './exchanges-sql.ts'
