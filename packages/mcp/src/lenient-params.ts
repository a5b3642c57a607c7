import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'

const METHODS = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
]

type Params = Record<string, unknown>
type Handle = (request: { method: string; params: Params }, ctx: ServerContext) => Promise<Params>

/**
 * Makes the server take `null` for parameters that may be absent, such as the `cursor` of a first page. Call it after all other
 * handlers are registered.
 */
export function acceptLenientParams({ server }: McpServer): void {
  for (const method of METHODS) {
    // biome-ignore lint/complexity/useLiteralKeys: a protected member, which has no other name outside of its class
    const handle = server['_getRequestHandler'](method) as Handle | undefined
    if (!handle) continue
    server.setRequestHandler(method, { params: z.looseObject({}) }, (params, ctx) =>
      handle({ method, params: readParams(params) }, ctx),
    )
  }
}

const readParams = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
