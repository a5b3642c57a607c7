import { setTimeout as sleep } from 'node:timers/promises'
import type { PrismaDb } from '@subtext/db/prisma'
import { createTestAccount, renewWebhookSecret } from '@subtext/testbed'

export interface ChaosAccount {
  name: string
  key: string
  /** The secret that signs its webhooks. */
  secret: string
}

const RETRY_MS = 200

/** A fixed number of active accounts that have not used up their daily quota. */
export interface AccountPool {
  /** Every account created so far, by name. */
  all: ReadonlyMap<string, ChaosAccount>
  take(nth: number): Promise<ChaosAccount>
  /** Creates an account beside the active ones. */
  open(name: string): Promise<ChaosAccount>
  /** Replaces an account that has used up its daily quota. */
  retire(account: ChaosAccount): void
}

export function createAccountPool(db: PrismaDb, size: number): AccountPool {
  const all = new Map<string, ChaosAccount>()
  const active: (Promise<ChaosAccount> | undefined)[] = Array(size).fill(undefined)
  let created = 0
  const open = async (name: string): Promise<ChaosAccount> => {
    const account = await createAccount(db, name)
    all.set(name, account)
    return account
  }
  return {
    all,
    open,
    async take(nth) {
      const index = nth % size
      active[index] ??= open(`reader-${++created}`)
      return active[index]
    },
    retire(account) {
      active.forEach(async (entry, index) => {
        if ((await entry) === account && active[index] === entry) active[index] = undefined
      })
    },
  }
}

async function createAccount(db: PrismaDb, name: string): Promise<ChaosAccount> {
  for (;;) {
    try {
      const { key, email } = await createTestAccount(db, `${name}@example.org`)
      return { name, key, secret: await renewWebhookSecret(db, email) }
    } catch {
      // The database is currently unavailable; retry.
    }
    await sleep(RETRY_MS)
  }
}
