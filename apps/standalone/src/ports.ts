import { createServer } from 'node:net'
import { hostInUrl } from '@subtext/runtime'
import { ALL_APPS } from './app-process.ts'
import type { Settings } from './env.ts'
import { listMetricsPorts, listNeededPorts } from './port-conflicts.ts'

/** A reason why the service cannot start and that its operator can remove. The message says how. */
export class StartError extends Error {}

/** Returns why nothing can listen on a port; null if something can. */
async function findPortProblem(port: number, host: string): Promise<NodeJS.ErrnoException | null> {
  const probe = createServer()
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    probe.once('error', resolve).listen(port, host, () => resolve(null))
  })
  if (!error) await new Promise((resolve) => probe.close(resolve))
  return error
}

/** Throws `StartError`, which names the setting, if the port is taken or cannot be listened on. */
export async function assertPortFree(setting: string, port: number, host: string): Promise<void> {
  const error = await findPortProblem(port, host)
  if (error?.code === 'EADDRINUSE') {
    throw new StartError(`Port ${port} is in use. Choose another one with ${setting}=...`)
  }
  if (error) throw new StartError(`Cannot listen on ${hostInUrl(host)}:${port} (${setting}): ${error.message}`)
}

/** Checks the ports of metrics of all apps. */
export async function assertMetricsPortsFree(settings: Settings, host: string): Promise<void> {
  for (const port of listMetricsPorts(settings, ALL_APPS.length)) await assertPortFree('METRICS_PORT', port, host)
}

const DEFAULT_MCP_PORT = 3001

/**
 * Returns the port of the MCP server, or null, with a message, if it is in use, also by another app of this service. The other
 * apps do not need the MCP server.
 */
export async function selectMcpPort(
  settings: Settings,
  host: string,
  say: (text: string) => void,
): Promise<number | null> {
  const port = Number(settings.MCP_PORT ?? DEFAULT_MCP_PORT)
  const isOfOtherApp = listNeededPorts(settings, ALL_APPS.length).includes(port)
  if (!isOfOtherApp && (await findPortProblem(port, host))?.code !== 'EADDRINUSE') return port
  say(`Port ${port} is in use, so the MCP server is not started. Choose another one with MCP_PORT=...`)
  return null
}
