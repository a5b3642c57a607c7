import { inviteAddress } from '@subtext/core/accounts'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { OIDC_CLIENT, type OidcServer, startOidcServer } from '../testing/oidc-server.ts'
import { PASSWORD, useTestAccounts } from '../testing/people.ts'

let oidc: OidcServer
beforeAll(async () => {
  oidc = await startOidcServer()
})
afterAll(() => oidc.close())

const { api, mail, newEmail } = useTestAccounts({
  ...OIDC_CLIENT,
  SIGN_UP: 'invite',
  get OIDC_ISSUER() {
    return oidc.issuer
  },
})

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

const isIn = async (browser: Browser) => (await browser.send('get', '/api/v1/account')).status === 200
const hasAccount = async (email: string) =>
  (await api.context.db.query('SELECT FROM users WHERE email = $1', [email])).rowCount > 0

describe.each(Object.entries(WAYS))('by %s', (name, enter) => {
  test('a stranger gets no account while sign-up is by invitation, or closed', async () => {
    for (const SIGN_UP of ['invite', 'closed']) {
      await api.withEnv({ SIGN_UP }, async (app) => {
        const [browser, email] = [openBrowser(app), newEmail()]
        if (SIGN_UP === 'closed') await inviteAddress(api.context, email)
        await enter(browser, email)
        expect([SIGN_UP, await isIn(browser), await hasAccount(email)]).toEqual([SIGN_UP, false, false])
      })
    }
  })

  test('a person who was invited gets an account, unless they only request a new password', async () => {
    const [browser, email] = [openBrowser(api.app), newEmail()]
    await inviteAddress(api.context, email)
    await enter(browser, email)
    expect(await isIn(browser)).toBe(name !== 'new password')
  })

  test('the owner of an account that an operator created gets it, even while sign-up is closed', async () => {
    await api.withEnv({ SIGN_UP: 'closed' }, async (app) => {
      const [browser, email] = [openBrowser(app), newEmail()]
      await api.createKey({ email, plan: 'plus' })
      await enter(browser, email)
      expect((await browser.send('get', '/api/v1/account')).body.data?.plan).toBe('plus')
    })
  })
})

test('an invitation that has expired admits nobody', async () => {
  const [browser, email] = [openBrowser(api.app), newEmail()]
  await inviteAddress({ ...api.context, clock: () => new Date(Date.now() - 31 * 86_400_000) }, email)
  await WAYS['sign-in link']?.(browser, email)
  expect(await isIn(browser)).toBe(false)
})

test('an invitation admits only its own address, in upper or lower case', async () => {
  const email = newEmail()
  await inviteAddress(api.context, email)
  for (const other of [`${email}.evil.example`, `x${email}`, email.replace('@', '+x@')]) {
    const browser = openBrowser(api.app)
    await WAYS['sign-in link']?.(browser, other)
    expect([other, await isIn(browser)]).toEqual([other, false])
  }
  const browser = openBrowser(api.app)
  await browser.send('post', '/auth/sign-in/magic-link', { email: email.toUpperCase() })
  await browser.send('post', (await mail().next(email)).link)
  expect(await isIn(browser)).toBe(true)
})
