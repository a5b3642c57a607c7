import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { Scope } from '../vocabulary.ts'

const NO_QUERY = z.strictObject({})
const time = z.iso.datetime()

export const ConnectedApp = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ description: 'The name that the application has given itself.' }),
    client_id: z.string().meta({ description: 'The URL of its metadata document, or the ID that it was given.' }),
    place: z.string().meta({
      description: 'Where the person was sent with the code: a host, a program on their computer, or an application.',
    }),
    scopes: z.array(Scope),
    connected_at: time,
    last_used_at: time.nullable().meta({ description: 'To the minute. Null if it has not been used.' }),
  })
  .meta({ id: 'ConnectedApp' })
export type ConnectedApp = z.infer<typeof ConnectedApp>

/** Routes of an account's connected applications. */
export const connectedApps = {
  apps: defineRoute({
    method: 'get',
    path: '/account/apps',
    operationId: 'listConnectedApps',
    summary: 'List your connected applications',
    description: 'The applications, such as MCP clients, that you have allowed to act for you, last connected first.',
    access: 'session',
    query: NO_QUERY,
    response: z.object({ apps: z.array(ConnectedApp) }).meta({ id: 'ConnectedAppList' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  disconnectApp: defineRoute({
    method: 'delete',
    path: '/account/apps/{app_id}',
    operationId: 'disconnectApp',
    summary: 'Disconnect an application',
    description: 'Its tokens are refused everywhere within a second, for good.',
    access: 'session',
    params: z.object({ app_id: z.string() }),
    query: NO_QUERY,
    response: z.object({ disconnected: z.literal(true) }).meta({ id: 'DisconnectedApp' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
}
