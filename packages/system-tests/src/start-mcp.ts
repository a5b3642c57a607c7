import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'
import { type AppProcess, spawnApp } from '@subtext/standalone'
import type { TestSystem } from '@subtext/testbed'

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

/** Loads TypeScript as the test runner does, which has compiled most files already: tsx takes half as much CPU time again. */
const LOADER = new URL('../jest/typescript.mjs', import.meta.url).href

/** The command that starts the MCP server over stdio, as npx would. */
export const STDIO_SERVER = {
  command: process.execPath,
  args: ['--conditions=subtext-source', '--import', LOADER, 'packages/mcp/src/stdio.ts'],
}
