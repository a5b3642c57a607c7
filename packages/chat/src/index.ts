export { DROP_REASONS, type DropReason } from './answer/check-statement.ts'
export { type Chat, createChat } from './create-chat.ts'
export type {
  FoundPassage,
  LibraryAnswer,
  LibraryPart,
  LibraryQuestion,
  LibrarySource,
  LibraryVideo,
  PassageRequest,
} from './library/types.ts'
export type {
  Answer,
  AnswerPart,
  AnswerProblem,
  ChatQuestion,
  ChatSource,
  EarlierExchange,
} from './types.ts'
export type { AnswerOptions } from './write-answer.ts'
