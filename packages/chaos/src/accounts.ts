import { setTimeout as sleep } from 'node:timers/promises'
import type { PrismaDb } from '@subtext/db/prisma'
import { createTestAccount, renewWebhookSecret } from '@subtext/testbed'

export interface Account {
  name: string
  key: string
  /** The secret that signs its webhooks. */
  secret: string
}

const RETRY_MS = 200

/** A fixed number of active accounts that have not used up their daily quota. */
export interface AccountPool {
  /** Every account created so far, by name. */
  all: ReadonlyMap<string, Account>
  take(nth: number): Promise<Account>
  /** Replaces an account that has used up its daily quota. */
  retire(account: Account): void
}

export function createAccountPool(db: PrismaDb, size: number): AccountPool {
  const all = new Map<string, Account>()
  const active: (Promise<Account> | undefined)[] = Array(size).fill(undefined)
  let created = 0
  return {
    all,
    async take(nth) {
      const index = nth % size
      active[index] ??= createAccount(db, `reader-${++created}`)
      const account = await active[index]
      all.set(account.name, account)
      return account
    },
    retire(account) {
      active.forEach(async (entry, index) => {
        if ((await entry) === account && active[index] === entry) active[index] = undefined
      })
    },
  }
}

async function createAccount(db: PrismaDb, name: string): Promise<Account> {
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
