#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Subtext, SubtextError } from '@subtext/sdk'
import { createMcpServer } from './create-server.ts'

// Standard output belongs to the protocol.
const fail = (message: string): void => void process.stderr.write(`subtext-mcp: ${message}\n`)

try {
  // Empty settings count as missing. The SDK would prefer its own names, which may belong to another service.
  const { SERVICE_API_KEY, SERVICE_API_BASE } = process.env
  const subtext = new Subtext({ apiKey: SERVICE_API_KEY || undefined, baseUrl: SERVICE_API_BASE || undefined })
  serveStdio(() => createMcpServer(subtext), { onerror: (error) => fail(error.message) })
} catch (error) {
  if (!(error instanceof SubtextError)) throw error
  const advice = 'Set SERVICE_API_KEY to your API key, and SERVICE_API_BASE to the URL of the service.'
  fail(`${error.message} ${advice}`)
  process.exitCode = 2
}
