import { findUnreachableServers, type ServerSettings, type UnreachableServer } from '@subtext/core/servers'

/** Servers of the settings cannot be reached. The message names all of them. */
export class UnreachableServersError extends Error {
  constructor(servers: UnreachableServer[]) {
    super(servers.map(({ message }) => message).join('\n'))
  }
}

/** Throws `UnreachableServersError` unless every server whose address is given accepts connections. */
export async function assertReachable(settings: ServerSettings): Promise<void> {
  const unreachable = await findUnreachableServers(settings)
  if (unreachable.length > 0) throw new UnreachableServersError(unreachable)
}
