import type { Context } from '@subtext/core/context'

export interface HeldLease {
  /** What is held, in messages. */
  name: string
  seconds: number
  /** Returns false if the lease was lost. */
  extend(): Promise<boolean>
}

/**
 * Extends a lease while `work` runs, and aborts the signal given to `work` when it is lost. While the database is unavailable, it
 * counts as held.
 */
export async function holdLease<T>(
  { log }: Pick<Context, 'log'>,
  { name, seconds, extend }: HeldLease,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const heartbeat = setInterval(
    () => {
      extend().then(
        (held) => held || lost.abort(new Error(`The lease of the ${name} was lost.`)),
        (error: Error) => log.warn('lease not extended', { error: error.message }),
      )
    },
    (seconds * 1_000) / 3,
  )
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(heartbeat)
  }
}
