export { createMcpServer, type McpServerSettings, type OnToolCall } from './create-server.ts'
