import pg from 'pg'

/**
 * No connection could be opened. Callers cannot do anything about it, whatever the reason: a name that is not resolved,
 * a refused password, an expired certificate. The message and the cause name it.
 */
class ConnectError extends Error {
  /** The SQL state of a client that is unable to connect. */
  readonly code = '08001'
  /** Prisma keeps the codes of errors that have a severity. */
  readonly severity = 'FATAL'

  constructor(cause: Error & { code?: unknown }) {
    // The error of a host with several addresses has no message of its own.
    super(cause.message || String(cause.code), { cause })
  }
}

/** A connection of a pool, whose failure to open is an unavailable database. */
export class PoolClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: (error?: Error) => void): void
  override connect(callback?: (error?: Error) => void): Promise<pg.Client> | undefined {
    if (!callback) return super.connect()
    super.connect((error?: Error) => (error ? callback(new ConnectError(error)) : callback()))
    return undefined
  }
}
