import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { useTestApi } from './testing/api.ts'
import { type ApiBrowser, openBrowser } from './testing/browser.ts'
import { createTestSession } from './testing/sessions.ts'

const [OLD, NEW] = ['an old secret of at least 32 characters', 'a new secret of at least 32 characters']
const NEW_KEY = `new:${'ab'.repeat(32)}`
const api = useTestApi({ AUTH_SECRET: OLD })

/** Creates a session that is signed with the old secret. Returns the cookies of its browser. */
async function signIn(email: string): Promise<Map<string, string>> {
  const { headers } = await createTestSession(api, { email })
  const [name = '', value = ''] = headers.Cookie.split(/=(.*)/s, 2)
  return new Map([[name, value]])
}

/** Opens a browser with these cookies, which reaches a process with these settings. */
function open(cookies: Map<string, string>, settings: Record<string, string>): ApiBrowser {
  const browser = openBrowser(api.openBeside(settings).app)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

/** Whom a process takes the browser for, by way of the API and by way of better-auth. */
async function whoIs(cookies: Map<string, string>, settings: Record<string, string>) {
  const browser = open(cookies, settings)
  const account = await browser.send('get', '/api/v1/account')
  const session = await open(cookies, settings).send('get', '/auth/get-session')
  return {
    account: account.body.data?.user.email,
    session: session.body?.user?.email,
    cookies: browser.cookies,
  }
}

test('sessions last through each step of a rotation of AUTH_SECRET, if each browser calls before the last one', async () => {
  const email = 'ada@example.org'
  const cookies = await signIn(email)
  const known = { account: email, session: email }

  // One process has been restarted with the next step, the others not yet.
  expect(await whoIs(cookies, { AUTH_SECRET: OLD, AUTH_SECRET_ACCEPTED: NEW })).toMatchObject(known)
  const moved = await whoIs(cookies, { AUTH_SECRET: NEW, AUTH_SECRET_ACCEPTED: OLD })
  expect(moved).toMatchObject(known)
  expect([...moved.cookies]).not.toEqual([...cookies])
  expect(await whoIs(moved.cookies, { AUTH_SECRET: OLD, AUTH_SECRET_ACCEPTED: NEW })).toMatchObject(known)
  expect(await whoIs(moved.cookies, { AUTH_SECRET: NEW })).toMatchObject(known)

  const forgotten = { account: undefined, session: undefined }
  expect(await whoIs(cookies, { AUTH_SECRET: NEW })).toMatchObject(forgotten)
  expect(await whoIs(moved.cookies, { AUTH_SECRET: OLD })).toMatchObject(forgotten)
})

test('sessions last through a rotation of WEBHOOK_SECRET_KEY if there is no AUTH_SECRET', async () => {
  const email = 'grace@example.org'
  const cookies = await signIn(email)
  // The cookie is signed with a key that is derived from the only one, as if AUTH_SECRET had never been set.
  const derived = { AUTH_SECRET: undefined } as unknown as Record<string, string>
  const { cookies: first } = await whoIs(cookies, { ...derived, AUTH_SECRET_ACCEPTED: OLD })
  const known = { account: email, session: email }
  expect(await whoIs(first, derived)).toMatchObject(known)
  const both = { ...derived, WEBHOOK_SECRET_KEY: `${NEW_KEY},${TEST_SECRET_KEY}` }
  const moved = await whoIs(first, both)
  expect(moved).toMatchObject(known)
  expect(await whoIs(moved.cookies, { ...derived, WEBHOOK_SECRET_KEY: NEW_KEY })).toMatchObject(known)
  expect(await whoIs(first, { ...derived, WEBHOOK_SECRET_KEY: NEW_KEY })).toMatchObject({ account: undefined })
})

test('a session that was signed with an accepted secret ends when its owner signs out', async () => {
  const cookies = await signIn('alan@example.org')
  const rotating = { AUTH_SECRET: NEW, AUTH_SECRET_ACCEPTED: OLD }
  const left = await open(cookies, rotating).send('post', '/auth/sign-out', {})
  expect(left.status).toBe(200)
  expect(await whoIs(cookies, { AUTH_SECRET: OLD })).toMatchObject({ account: undefined, session: undefined })
})
