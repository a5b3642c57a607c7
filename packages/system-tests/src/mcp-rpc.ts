import { TASKS_EXTENSION_ID_V2 } from '@modelcontextprotocol/ext-tasks/core/v2'

const VERSION = '2026-07-28'
/** Extensions of a client that takes tasks. */
export const TASKS = { [TASKS_EXTENSION_ID_V2]: {} }

/** Where the MCP server is, and a key for it. */
export interface Access {
  url: string
  key: string
}

export type Rpc = { result?: Record<string, unknown>; error?: { code: number; message: string } }

/** Sends a request of the stateless protocol as any client would, with these extensions declared. */
export async function rpc(
  { url, key }: Access,
  method: string,
  params: Record<string, unknown>,
  extensions = {},
): Promise<Rpc> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  }
  const name = params.name ?? params.taskId
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  })
  const text = await response.text()
  const json = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '')
  return JSON.parse(json) as Rpc
}
