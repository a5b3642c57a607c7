export type { Fault, FaultOptions } from './faults.ts'
export { type MessagesApi, type MessagesApiOptions, type RecordedCall, startMessagesApi } from './start-messages-api.ts'
