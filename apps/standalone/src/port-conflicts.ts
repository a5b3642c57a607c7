import { PublicEnv } from '@subtext/runtime'

type Ports = Partial<Record<'PORT' | 'MCP_PORT' | 'METRICS_PORT', string>>

/** Returns the ports of metrics: one for each of `apps` apps, from `METRICS_PORT` on. */
export const listMetricsPorts = ({ METRICS_PORT }: Ports, apps: number): number[] =>
  METRICS_PORT === undefined ? [] : Array.from({ length: apps }, (_, nth) => Number(METRICS_PORT) + nth)

/** Returns the ports that the service needs besides that of the MCP server. */
export const listNeededPorts = (settings: Ports, apps: number): number[] => [
  Number(settings.PORT ?? PublicEnv.shape.PORT.parse(undefined)),
  ...listMetricsPorts(settings, apps),
]

/**
 * Returns a message for each two settings that name the same port. Each port would be free before the start, and one of the
 * apps would then take that of another. The default of `MCP_PORT` is no conflict: the MCP server is left out then.
 */
export function findPortConflicts(settings: Ports, apps: number): string[] {
  const [port, ...metrics] = listNeededPorts(settings, apps)
  const mcpPort = Number(settings.MCP_PORT)
  // `includes` would find NaN, which is what a value that is not a number becomes.
  const isForMetrics = (one: number | undefined): boolean => metrics.some((other) => other === one)
  const differsFromMetrics = `Must differ from the ports of METRICS_PORT, ${metrics[0]} to ${metrics.at(-1)}.`
  const conflicts: [boolean, string][] = [
    [isForMetrics(port), `PORT: ${differsFromMetrics}`],
    [isForMetrics(mcpPort), `MCP_PORT: ${differsFromMetrics}`],
    [mcpPort === port, 'MCP_PORT: Must differ from PORT.'],
  ]
  return conflicts.filter(([isPresent]) => isPresent).map(([, message]) => message)
}
