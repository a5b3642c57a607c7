export { DROP_REASONS, type DropReason } from './answer/check-statement.ts'
export { createChat, type VideoChat } from './create-chat.ts'
export type {
  AskedOfLibrary,
  FoundPassage,
  LibraryPart,
  LibrarySource,
  LibraryVideo,
  PassageRequest,
  WrittenLibraryAnswer,
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
