import { inviteAddress } from '@subtext/core/accounts'
import type { AccountSettings } from './settings.ts'
import { type OidcServer, oidcSettings, startOidcServer } from './testing/oidc-server.ts'
import { type Browser, PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

let oidc: OidcServer
beforeAll(async () => {
  oidc = await startOidcServer()
})
afterAll(() => oidc.close())

const { db, mail, browse, newEmail, openBeside, createByOperator } = useTestAccounts(() => ({
  oidc: oidcSettings(oidc),
  signUp: 'invite',
}))
const ctx = { db, clock: () => new Date() }

type Way = (browser: Browser, email: string) => Promise<void>

/** Tries to get an account in each way there is, as far as one gets. */
const WAYS: Record<string, Way> = {
  async password(browser, email) {
    await browser.send('post', '/auth/sign-up/email', { name: '', email, password: PASSWORD })
    const { link } = await mail().next(email)
    if (link) await browser.send('get', link)
    await browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD })
  },
  async 'sign-in link'(browser, email) {
    await browser.send('post', '/auth/sign-in/magic-link', { email })
    const { link } = await mail().next(email)
    if (link) await browser.send('post', link)
  },
  async 'new password'(browser, email) {
    await browser.send('post', '/auth/request-password-reset', { email })
    const { link } = await mail().next(email)
    const { headers } = link.includes('/auth/')
      ? await browser.send('get', link)
      : { headers: {} as { location?: string } }
    const token = new URL(headers.location ?? '/', 'http://127.0.0.1:3000').searchParams.get('token')
    if (token) await browser.send('post', '/auth/reset-password', { token, newPassword: PASSWORD })
    await browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD })
  },
  async provider(browser, email) {
    oidc.person = { sub: email, email, email_verified: true, name: '' }
    const started = await browser.send('post', '/auth/sign-in/social', { provider: 'oidc', requestSignUp: true })
    await browser.send('get', await oidc.authorize(started.body.url))
  },
}

const isIn = async (browser: Browser) => (await browser.account()) !== undefined
const hasAccount = async (email: string) => (await db.query('SELECT FROM users WHERE email = $1', [email])).rowCount > 0

describe.each(Object.entries(WAYS))('by %s', (name, enter) => {
  test('a stranger gets no account while sign-up is by invitation, or closed', async () => {
    for (const signUp of ['invite', 'closed'] satisfies AccountSettings['signUp'][]) {
      const [browser, email] = [openBeside({ signUp })(), newEmail()]
      if (signUp === 'closed') await inviteAddress(ctx, email)
      await enter(browser, email)
      expect([signUp, await isIn(browser), await hasAccount(email)]).toEqual([signUp, false, false])
    }
  })

  test('a person who was invited gets an account, unless they only request a new password', async () => {
    const [browser, email] = [browse(), newEmail()]
    await inviteAddress(ctx, email)
    await enter(browser, email)
    expect(await isIn(browser)).toBe(name !== 'new password')
  })

  test('the owner of an account that an operator created gets it, even while sign-up is closed', async () => {
    const [browser, email] = [openBeside({ signUp: 'closed' })(), newEmail()]
    await createByOperator(email, 'plus')
    await enter(browser, email)
    expect((await browser.account())?.plan).toBe('plus')
  })
})

test('an invitation that has expired admits nobody', async () => {
  const [browser, email] = [browse(), newEmail()]
  await inviteAddress({ db, clock: () => new Date(Date.now() - 31 * 86_400_000) }, email)
  await WAYS['sign-in link']?.(browser, email)
  expect(await isIn(browser)).toBe(false)
})

test('an invitation admits only its own address, in upper or lower case', async () => {
  const email = newEmail()
  await inviteAddress(ctx, email)
  for (const other of [`${email}.evil.example`, `x${email}`, email.replace('@', '+x@')]) {
    const browser = browse()
    await WAYS['sign-in link']?.(browser, other)
    expect([other, await isIn(browser)]).toEqual([other, false])
  }
  const browser = browse()
  await browser.send('post', '/auth/sign-in/magic-link', { email: email.toUpperCase() })
  await browser.send('post', (await mail().next(email)).link)
  expect(await isIn(browser)).toBe(true)
})
