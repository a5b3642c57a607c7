export type { EmailData, EmailKind, ToldTheme, ToldVideo } from './kinds.ts'
export { type NewLink, type NewNotice, queueLink, queueNotice } from './queue.ts'
export {
  createEmailSender,
  EMAIL_OUTCOMES,
  type EmailOutcome,
  type EmailSender,
  type EmailSenderOptions,
  type OutgoingEmail,
  UndeliverableError,
} from './send.ts'
