#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createProxiedFetch } from '@subtext/runtime/proxied-fetch'
import { Subtext, SubtextError } from '@subtext/sdk'
import { createMcpServer } from './create-server.ts'
import { readEnv, readProxies } from './env.ts'

// Standard output belongs to the protocol.
const fail = (message: string): void => void process.stderr.write(`subtext-mcp: ${message}\n`)

try {
  const subtext = new Subtext({ ...readEnv(), fetch: createProxiedFetch(readProxies()) })
  serveStdio(() => createMcpServer(subtext), { onerror: (error) => fail(error.message) })
} catch (error) {
  if (!(error instanceof SubtextError)) throw error
  const advice = 'Set SERVICE_API_KEY to your API key, and SERVICE_API_BASE to the URL of the service.'
  // The SDK's message about a key names its own options and variables.
  const problem = error.code === 'UNAUTHORIZED' ? 'The API key is missing or malformed.' : error.message
  fail(`${problem} ${advice}`)
  process.exitCode = 2
}
