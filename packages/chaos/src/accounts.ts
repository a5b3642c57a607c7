import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '@subtext/core/api-keys'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createSecretBox, rotateWebhookSecret } from '@subtext/core/webhooks'
import type { Db } from '@subtext/db'
import { keyRing } from '@subtext/runtime'

export interface Account {
  name: string
  key: string
  /** That its webhooks are signed with. */
  secret: string
}

const RETRY_MS = 200

/** Those that have something left of their day, as few at a time as asked for. */
export interface AccountPool {
  all: ReadonlyMap<string, Account>
  take(nth: number): Promise<Account>
  /** Its day is used up: another one takes its place. */
  retire(account: Account): void
}

export function createAccountPool(db: Db, size: number): AccountPool {
  const all = new Map<string, Account>()
  const active: (Promise<Account> | undefined)[] = Array(size).fill(undefined)
  let made = 0
  return {
    all,
    async take(nth) {
      const place = nth % size
      active[place] ??= createAccount(db, `reader-${++made}`)
      const account = await active[place]
      all.set(account.name, account)
      return account
    },
    retire(account) {
      active.forEach(async (taken, place) => {
        if ((await taken) === account && active[place] === taken) active[place] = undefined
      })
    },
  }
}

async function createAccount(db: Db, name: string): Promise<Account> {
  const email = `${name}@example.org`
  const ctx = { db, clock: () => new Date(), secretBox: createSecretBox(keyRing.parse(TEST_SECRET_KEY)) }
  for (;;) {
    try {
      const key = await createApiKey({ db }, { email, plan: 'pro', scopes: ['read', 'write'] })
      const secret = await rotateWebhookSecret(ctx, email)
      if (secret !== null) return { name, key, secret }
    } catch {
      // The database is away for the moment.
    }
    await sleep(RETRY_MS)
  }
}
