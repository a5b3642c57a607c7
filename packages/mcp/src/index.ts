export { createMcpServer, type OnToolCall } from './create-server.ts'
