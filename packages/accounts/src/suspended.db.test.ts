import { suspendAccount } from '@subtext/core/operations'
import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

const { db, mail, browse, join, newEmail } = useTestAccounts()
const log = { info() {}, warn() {}, error() {} }

/** Signs up a person and suspends the account. */
async function suspended() {
  const email = newEmail()
  const browser = await join(email)
  const { id } = (await browser.account()) ?? { id: '' }
  await suspendAccount({ db, log, clock: () => new Date() }, { command: 'test' }, id, null)
  return { email, browser, id }
}

const countSessions = (userId: string) => db.prisma.session.count({ where: { userId } })

test('ends the sessions of the account at once', async () => {
  const { browser, id } = await suspended()
  expect(await browser.account()).toBeUndefined()
  expect((await browser.send('get', '/auth/get-session')).body).toEqual({})
  expect(await countSessions(id)).toBe(0)
})

test('signing in with the right password says so, and with a wrong one it does not', async () => {
  const { email, id } = await suspended()
  const browser = browse()
  const right = await browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD })
  expect([right.status, right.body.error.code, right.text]).toEqual([
    401,
    'UNAUTHORIZED',
    'This account is suspended. Contact the operator of the service.',
  ])
  const wrong = await browser.send('post', '/auth/sign-in/email', { email, password: 'a wrong password' })
  expect([wrong.status, wrong.text]).toEqual([401, ''])
  expect(await browser.account()).toBeUndefined()
  expect(await countSessions(id)).toBe(0)
})

test('following a sign-in link says so on the sign-in page', async () => {
  const { email, id } = await suspended()
  await browse().send('post', '/auth/sign-in/magic-link', { email })
  const browser = browse()
  const followed = await browser.send('post', (await mail().next(email)).link)
  expect([followed.status, followed.headers.location, followed.headers['set-cookie']]).toEqual([
    303,
    '/sign-in?error=account_suspended',
    undefined,
  ])
  expect(await browser.account()).toBeUndefined()
  expect(await countSessions(id)).toBe(0)
})

test('a session that begins while the account is being suspended ends with it', async () => {
  const email = newEmail()
  const joined = await join(email)
  const { id } = (await joined.account()) ?? { id: '' }
  const browsers = Array.from({ length: 6 }, () => browse())
  await Promise.all([
    ...browsers.map((browser) => browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD })),
    suspendAccount({ db, log, clock: () => new Date() }, { command: 'test' }, id, null),
  ])
  for (const browser of browsers) expect(await browser.account()).toBeUndefined()
})
