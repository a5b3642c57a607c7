import { type OidcServer, oidcSettings, startOidcServer } from './testing/oidc-server.ts'
import { type Browser, useTestAccounts } from './testing/use-test-accounts.ts'

let oidc: OidcServer
beforeAll(async () => {
  oidc = await startOidcServer()
})
afterAll(() => oidc.close())

const { db, browse, join, newEmail, createByOperator } = useTestAccounts(() => ({ oidc: oidcSettings(oidc) }))

/** Goes to the provider and back, and returns the last response. */
async function signIn(browser: Browser, person: Partial<OidcServer['person']>) {
  oidc.person = { sub: person.email ?? '', email: '', email_verified: true, name: 'Ada', ...person }
  const started = await browser.send('post', '/auth/sign-in/social', { provider: 'oidc', callbackURL: '/jobs' })
  expect(started.status).toBe(200)
  return browser.send('get', await oidc.authorize(started.body.url))
}

test('lists the provider for the sign-in page', async () => {
  const { body } = await browse().send('get', '/auth/options')
  const providers = [{ id: 'oidc', name: 'Acme' }]
  expect(body).toEqual({ sign_up: 'open', providers, min_password_length: 10, email: true })
})

test('a person signs up and in with the provider', async () => {
  const email = newEmail()
  const browser = browse()
  const { status, headers } = await signIn(browser, { email })
  expect([status, headers.location]).toEqual([302, '/jobs'])
  const account = await browser.account()
  expect(account).toMatchObject({ email, name: 'Ada', signInWays: ['magic_link', 'oidc'], plan: 'free' })
  const again = browse()
  await signIn(again, { email })
  expect((await again.account())?.id).toBe(account?.id)
})

test('an account that an operator created becomes that of the person', async () => {
  const email = newEmail()
  await createByOperator(email, 'pro')
  const browser = browse()
  await signIn(browser, { email })
  expect((await browser.account())?.plan).toBe('pro')
})

test('a person whose account is suspended is told so, and not signed in', async () => {
  const email = newEmail()
  await signIn(browse(), { email })
  await db.prisma.user.update({ where: { email }, data: { suspendedAt: new Date() } })
  const browser = browse()
  const { headers } = await signIn(browser, { email })
  expect(headers.location).toBe('/sign-in?error=account_suspended')
  expect(await browser.account()).toBeUndefined()
  expect(await db.prisma.session.count({ where: { user: { email } } })).toBe(1)
})

test('an address that the provider has not verified signs in nobody, whether it has an account or not', async () => {
  const known = newEmail()
  await join(known)
  for (const email of [known, newEmail()]) {
    const browser = browse()
    const { headers } = await signIn(browser, { sub: `claims ${email}`, email, email_verified: false })
    expect(headers.location).toMatch(/\/sign-in\?error=email_not_verified/)
    expect(await browser.account()).toBeUndefined()
  }
})

test('a response that belongs to another browser or provider signs in nobody', async () => {
  const attacker = browse()
  oidc.person = { sub: 'attacker', email: newEmail(), email_verified: true, name: 'Eve' }
  const started = await attacker.send('post', '/auth/sign-in/social', { provider: 'oidc' })
  const callback = await oidc.authorize(started.body.url)
  const victim = browse()
  expect((await victim.send('get', callback)).headers.location).toContain('error=')
  expect(await victim.account()).toBeUndefined()
  const mixedUp = browse()
  const other = await mixedUp.send('post', '/auth/sign-in/social', { provider: 'oidc' })
  const reply = await oidc.authorize(other.body.url)
  const { headers } = await mixedUp.send('get', reply.replace('/callback/oidc', '/callback/github'))
  expect(headers.location).toContain('error=state_mismatch')
})

test('a response with the nonce or the code challenge of another sign-in signs in nobody', async () => {
  for (const name of ['nonce', 'code_challenge']) {
    const browser = browse()
    const email = newEmail()
    oidc.person = { sub: email, email, email_verified: true, name: 'Ada' }
    const started = await browser.send('post', '/auth/sign-in/social', { provider: 'oidc' })
    const url = new URL(started.body.url)
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    expect(url.searchParams.get(name)?.length).toBeGreaterThan(15)
    url.searchParams.set(name, 'a'.repeat(43))
    const { headers } = await browser.send('get', await oidc.authorize(url.href))
    expect([name, headers.location]).toEqual([name, expect.stringContaining('error=')])
    expect(await browser.account()).toBeUndefined()
  }
})

test('an address whose letters only look like those of another is not that of its account', async () => {
  const email = `k${newEmail()}`
  await join(email)
  const attacker = browse()
  const { headers } = await signIn(attacker, { sub: `spoof ${email}`, email: email.replace('k', '\u212a') })
  expect(headers.location).toContain('error=email_not_verified')
  expect(await attacker.account()).toBeUndefined()
})
