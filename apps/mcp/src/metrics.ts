import {
  countRefusedConnections,
  createHttpMetrics,
  createProcessMetrics,
  LONG_SECONDS,
  type Metrics,
} from '@subtext/runtime'

/** Creates all metrics of the MCP server. */
export function createMcpMetrics(metrics: Metrics) {
  return {
    process: createProcessMetrics(metrics),
    http: createHttpMetrics(metrics),
    countRefused: countRefusedConnections(metrics),
    toolCalled: metrics.duration(
      'subtext_mcp_tool_call_seconds',
      'Duration of calls of a tool.',
      { tool: 'name of the tool', outcome: ['succeeded', 'failed'] },
      LONG_SECONDS,
    ),
  }
}
export type McpMetrics = ReturnType<typeof createMcpMetrics>
