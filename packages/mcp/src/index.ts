export { createMcpServer, type McpServerSettings, type OnToolCall, VERSION } from './create-server.ts'
