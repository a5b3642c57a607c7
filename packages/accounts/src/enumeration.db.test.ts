import { createHook } from 'node:async_hooks'
import type { ServedResponse } from './testing/serve-request.ts'
import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

// Nobody may learn from a response, or from the work it takes, whether an address has an account.
const { db, mail, browse, join, newEmail, createByOperator } = useTestAccounts()

/** Statements that accounts need. Others belong to what runs beside. */
const OWN = /\b(?:FROM|INTO|UPDATE) (users|invitations|sign_ups|identities|attempt_counts|emails|sessions)\b/
const OF_SENDER = /UPDATE emails|FROM emails/

interface Work {
  hashes: number
  statements: string[]
}

/** Returns how many passwords are hashed and which tables are read and written while `run` runs. */
async function measure(run: () => Promise<unknown>): Promise<Work> {
  const work: Work = { hashes: 0, statements: [] }
  const hook = createHook({
    init(_id, type) {
      if (type === 'SCRYPTREQUEST') work.hashes++
    },
  }).enable()
  const query = db.query
  db.query = (text, values) => {
    const [, table] = OF_SENDER.test(text) ? [] : (OWN.exec(text) ?? [])
    if (table !== undefined)
      work.statements.push(`${/^\s*(?:WITH|INSERT|UPDATE|DELETE)/.test(text) ? 'write' : 'read'} ${table}`)
    return query.call(db, text, values) as never
  }
  try {
    await run()
  } finally {
    db.query = query
    hook.disable()
  }
  // The order says less about an account than the time that the same work takes.
  work.statements.sort()
  return work
}

const send = (path: string, body: object) => browse().send('post', path, body)

/** Returns what a response shows, without what it repeats of the request and what is random. */
const shown = ({ status, body, headers }: ServedResponse, email: string) => ({
  status,
  body: JSON.parse(
    JSON.stringify(body)
      .replaceAll(email, 'EMAIL')
      .replace(/"(id|createdAt|updatedAt|request_id|timestamp)":"[^"]*"/g, '"$1":""'),
  ),
  headers: Object.keys(headers).sort(),
  cookies: [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split('=')[0]),
})

interface Case {
  path: string
  body: (email: string) => object
}
const CASES: Record<string, Case> = {
  'signing up': { path: '/auth/sign-up/email', body: (email) => ({ email, name: 'Ada', password: PASSWORD }) },
  'a wrong password': { path: '/auth/sign-in/email', body: (email) => ({ email, password: 'wrong password' }) },
  'a sign-in link': { path: '/auth/sign-in/magic-link', body: (email) => ({ email }) },
  'a new password': { path: '/auth/request-password-reset', body: (email) => ({ email }) },
}

describe.each(Object.entries(CASES))('%s', (_, { path, body }) => {
  test('responds the same with and without an account, and for an account that an operator created', async () => {
    const [known, unknown, created, linked] = [newEmail(), newEmail(), newEmail(), newEmail()]
    await join(known)
    await createByOperator(created)
    // An account without a password.
    await db.query('INSERT INTO users (id, email, email_verified) VALUES (gen_random_uuid(), $1, true)', [linked])
    await send(path, body(newEmail()))
    const seen = []
    for (const email of [known, unknown, created, linked]) {
      let response: ServedResponse | undefined
      const work = await measure(async () => {
        response = await send(path, body(email))
      })
      seen.push({ ...work, ...shown(response as ServedResponse, email) })
    }
    const [first, ...others] = seen
    for (const other of others) expect(other).toEqual(first)
    expect(first?.statements.length).toBeGreaterThan(0)
  })
})

test('a password is hashed for every attempt to sign in, and for every sign-up', async () => {
  const known = newEmail()
  await join(known)
  for (const email of [known, newEmail()]) {
    const wrong = await measure(() => send('/auth/sign-in/email', { email, password: 'wrong password' }))
    expect(wrong.hashes).toBe(1)
    const signUp = await measure(() => send('/auth/sign-up/email', { email, name: 'Ada', password: PASSWORD }))
    expect(signUp.hashes).toBe(1)
  }
})

test('the owner of the address learns by email what the response does not reveal', async () => {
  const known = newEmail()
  await join(known)
  await send('/auth/sign-up/email', { email: known, name: 'Eve', password: 'a password of Eve' })
  expect((await mail().next(known)).headers.subject).toBe('You already have an account')
  expect((await send('/auth/sign-in/email', { email: known, password: 'a password of Eve' })).status).toBe(401)
  const unknown = newEmail()
  await send('/auth/request-password-reset', { email: unknown })
  expect((await mail().next(unknown)).headers.subject).toBe('There is no account with this address')
})
