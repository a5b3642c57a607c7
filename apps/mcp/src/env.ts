import {
  baseUrl,
  CommonEnv,
  ConnectionEnv,
  list,
  loadEnv,
  McpAddressEnv,
  PublicEnv,
  signInEnabled,
  TracingEnv,
} from '@subtext/runtime'
import { z } from 'zod'

const { HOST, METRICS_PORT, SUBTEXT_VERSION, LOG_LEVEL, SHUTDOWN_GRACE_SECONDS } = CommonEnv.shape

/** Returns the URL of the service for a base in any of the forms that the SDK accepts. */
const stripApiPath = (base: string): string => base.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '')

export const McpEnv = z.object({
  ...TracingEnv.shape,
  HOST,
  METRICS_PORT,
  SUBTEXT_VERSION,
  LOG_LEVEL,
  SHUTDOWN_GRACE_SECONDS,
  ...ConnectionEnv.shape,
  ...McpAddressEnv.shape,
  PUBLIC_BASE_URL: PublicEnv.shape.PUBLIC_BASE_URL,
  DASHBOARD_ENABLED: signInEnabled,
  MCP_ALLOWED_ORIGINS: list
    .prefault('')
    .describe('Origins of web pages that may call the MCP server, besides its own and those of this machine.'),
  SERVICE_API_BASE: baseUrl
    .overwrite(stripApiPath)
    .default('http://127.0.0.1:3000')
    .describe(
      'URL of the API that the MCP server calls. `npm start` sets it; if `HTTPS_ONLY` is true, to `PUBLIC_BASE_URL`.',
    ),
})
export type McpEnv = z.output<typeof McpEnv>

export const readEnv = (): McpEnv => loadEnv(McpEnv, process.env)
