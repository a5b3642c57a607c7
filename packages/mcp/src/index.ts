export { createMcpServer } from './create-server.ts'
