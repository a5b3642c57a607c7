export { DROP_REASONS, type DropReason } from './answer/check-statement.ts'
export { type AnswerOptions, createChat, type VideoChat } from './create-chat.ts'
export type {
  Answer,
  AnswerPart,
  AnswerProblem,
  ChatQuestion,
  ChatSource,
  EarlierExchange,
} from './types.ts'
