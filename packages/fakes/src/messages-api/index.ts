export type { Fault, FaultOptions } from './faults.ts'
export { INJECTED_LINES } from './injected-lines.ts'
export { SERVER_KINDS, type ServerKind } from './server-kinds.ts'
export { type MessagesApi, type MessagesApiOptions, type RecordedCall, startMessagesApi } from './start-messages-api.ts'
