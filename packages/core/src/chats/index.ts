export {
  type AnswerSource,
  completeAnswer,
  failAnswer,
  findStoredAnswer,
  keepAnswerLease,
  readAnswerSource,
  type WrittenAnswer,
} from './answer.ts'
export {
  type AskContext,
  type AskedLibrary,
  type AskedQuestion,
  type AskedVideo,
  type AskRequest,
  askQuestion,
  type ChatPolicy,
  type OpenedQuestion,
  type QuestionSubject,
} from './ask.ts'
export { askLibrary } from './ask-library.ts'
export {
  awaitExchange,
  deleteConversation,
  type FullConversation,
  failAbandonedAnswers,
  getConversation,
  listConversations,
} from './conversations.ts'
export type { ChatConversation, ChatExchange, CitedVideo, StoredAnswer } from './conversations-sql.ts'
export { completeExchange, failExchangesOfJob, openExchange } from './exchanges-sql.ts'
