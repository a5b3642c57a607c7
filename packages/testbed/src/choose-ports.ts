import { findMetricsPort, findSteadyPort } from '@subtext/embedded/testing'

/** Signs session cookies. */
export const TEST_AUTH_SECRET = 'a secret for tests of at least 32 characters'

/** Chooses free ports for a system. Returns its addresses, and the settings that name them. */
export async function choosePorts(hasMetrics = false) {
  const port = await findSteadyPort(2)
  const baseUrl = `http://127.0.0.1:${port}`
  const settings: Record<string, string> = {
    PORT: String(port),
    MCP_PORT: String(port + 1),
    PUBLIC_BASE_URL: baseUrl,
    ...(hasMetrics && { METRICS_PORT: String(await findMetricsPort()) }),
  }
  return { baseUrl, mcpUrl: `http://127.0.0.1:${port + 1}/mcp`, settings }
}
