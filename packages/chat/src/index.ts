export { DROP_REASONS, type DropReason } from './answer/check-statement.ts'
export { type AnswerOptions, type Chat, createChat } from './create-chat.ts'
export {
  ANSWER_KINDS,
  type Answer,
  type AnswerKind,
  type AnswerPart,
  type AnswerProblem,
  type ChatSource,
  type EarlierExchange,
  type Question,
} from './types.ts'
