/** Thrown when too many wait, or the wait is too long. It passes. */
export class QueueFullError extends Error {
  constructor() {
    super('As many as allowed are waiting.')
    this.name = 'QueueFullError'
  }
}

export interface AccountQueueOptions {
  /** Turns at the same time. */
  maxActive: number
  /** Maximum number of callers that wait for their turn. */
  maxWaiting: number
  /** How long a caller waits, in milliseconds. */
  maxWaitMs: number
}

export interface AccountQueue {
  /**
   * Waits for a turn of an account. Returns the function that ends the turn. Rejects with a `QueueFullError` if there are too many
   * others or the wait is too long, and with the signal's reason.
   */
  enter(account: string, signal: AbortSignal): Promise<() => void>
  waiting(): number
}

interface Waiting {
  account: string
  admit: () => void
  refuse: () => void
}

/** The turns that accounts have at the moment. */
interface Shares {
  of(account: string): number
  mayTake(account: string): boolean
  /** Takes a turn. Returns the function that gives it back. */
  take(account: string): () => void
}

function createShares(maxActive: number, onFree: () => void): Shares {
  const maxPerAccount = Math.max(1, maxActive - 1)
  const turns = new Map<string, number>()
  const of = (account: string): number => turns.get(account) ?? 0
  let free = maxActive
  return {
    of,
    mayTake: (account) => free > 0 && of(account) < maxPerAccount,
    take(account) {
      free--
      turns.set(account, of(account) + 1)
      return () => {
        free++
        if (of(account) === 1) turns.delete(account)
        else turns.set(account, of(account) - 1)
        onFree()
      }
    },
  }
}

/**
 * Creates a queue in which no account takes all: it has every turn but one at most, and turns go to the account that has the fewest. If
 * too many wait, the latest of the account with the most is refused, so that one with fewer can wait.
 */
export function createAccountQueue({ maxActive, maxWaiting, maxWaitMs }: AccountQueueOptions): AccountQueue {
  const shares = createShares(maxActive, () => admitNext())
  const waiting: Waiting[] = []
  const waitingOf = (account: string): number => waiting.filter((each) => each.account === account).length
  const remove = (one: Waiting): void => void waiting.splice(waiting.indexOf(one), 1)

  const admitNext = (): void => {
    for (;;) {
      const [next] = waiting
        .filter(({ account }) => shares.mayTake(account))
        .sort((a, b) => shares.of(a.account) - shares.of(b.account))
      if (!next) return
      remove(next)
      next.admit()
    }
  }
  /** Refuses one of those that wait in favor of another account. Returns whether there is one that has more than its share. */
  const makeRoom = (account: string): boolean => {
    const most = waiting.reduce((found, each) => (waitingOf(each.account) > waitingOf(found.account) ? each : found))
    if (waitingOf(most.account) <= waitingOf(account) + 1) return false
    waiting.findLast((each) => each.account === most.account)?.refuse()
    return true
  }

  return {
    async enter(account, signal) {
      signal.throwIfAborted()
      if (shares.mayTake(account)) return shares.take(account)
      if (waiting.length >= maxWaiting && (waiting.length === 0 || !makeRoom(account))) throw new QueueFullError()
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', abandon)
        }
        const one: Waiting = {
          account,
          admit() {
            end()
            resolve(shares.take(account))
          },
          refuse() {
            end()
            remove(one)
            reject(new QueueFullError())
          },
        }
        const abandon = (): void => {
          end()
          remove(one)
          reject(signal.reason)
        }
        const timer = setTimeout(one.refuse, maxWaitMs)
        signal.addEventListener('abort', abandon, { once: true })
        waiting.push(one)
      })
    },
    waiting: () => waiting.length,
  }
}
