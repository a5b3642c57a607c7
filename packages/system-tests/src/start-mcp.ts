import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'
import { type AppProcess, spawnApp } from '@subtext/standalone'
import { type TestSystem, useClient } from '@subtext/testbed'
import type { Access } from './mcp-rpc.ts'

/** Starts the MCP server at the address that the system has for it, and waits until it is ready. */
export async function startMcp({ baseUrl, mcpUrl }: TestSystem): Promise<AppProcess> {
  const { port, origin } = new URL(mcpUrl)
  const settings = { HOST: '127.0.0.1', MCP_PORT: port, SERVICE_API_BASE: baseUrl, LOG_LEVEL: 'warn' }
  const app = spawnApp('mcp', { ...inheritedEnv(), ...settings })
  await waitUntil('the MCP server is ready', () =>
    fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return app
}

/** Registers hooks that start the MCP server of the system and stop it. Returns its address and the key of an account. */
export function useMcp(system: TestSystem): () => Access {
  const client = useClient(system)
  let app: AppProcess | undefined
  beforeAll(async () => {
    app = await startMcp(system)
  })
  afterAll(() => app?.stop(10_000))
  return () => ({ url: system.mcpUrl, key: client.key })
}

/** The command that starts the MCP server over stdio, as npx would. */
export const STDIO_SERVER = { command: process.execPath, args: ['packages/mcp/dist/stdio.js'] }
