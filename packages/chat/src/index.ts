export { DROP_REASONS, type DropReason } from './answer/check-statement.ts'
export { type AnswerOptions, type Chat, createChat } from './create-chat.ts'
export type {
  Answer,
  AnswerPart,
  AnswerProblem,
  ChatSource,
  EarlierExchange,
  Question,
} from './types.ts'
