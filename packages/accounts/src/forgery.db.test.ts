import { TEST_ORIGIN } from './testing/browser.ts'
import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

const { db, mail, browse, join, newEmail, openBeside, createByOperator } = useTestAccounts()

const countSessions = async (email: string) =>
  (await db.query('SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1', [email])).rowCount
const linkTo = async (email: string) => (await mail().next(email)).link

describe('cookies', () => {
  test('have every flag on an https address, and belong to its host alone', async () => {
    const publicBaseUrl = 'https://subtext.example.org'
    const browser = openBeside({ publicBaseUrl, ownOrigins: [publicBaseUrl] })()
    const email = newEmail()
    const cookies: string[] = []
    const keep = ({ headers }: { headers: { 'set-cookie'?: string[] } }) =>
      cookies.push(...(headers['set-cookie'] ?? []))
    keep(await browser.send('post', '/auth/sign-up/email', { name: '', email, password: PASSWORD }))
    const { rows } = await db.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
    expect(rows).toEqual([])
    keep(await browser.send('get', await linkTo(email)))
    keep(await browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD }))
    keep(await browser.send('post', '/auth/sign-out'))
    expect(cookies.length).toBeGreaterThanOrEqual(4)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-subtext\.[\w.]+=/)
      for (const flag of [/; Path=\/(;|$)/i, /; HttpOnly(;|$)/i, /; Secure(;|$)/i, /; SameSite=Lax(;|$)/i]) {
        expect(cookie).toMatch(flag)
      }
      expect(cookie).not.toMatch(/; Domain=/i)
    }
  })

  test('a sign-in begins a new session, even if someone has planted one in the browser', async () => {
    const attacker = await join()
    const email = newEmail()
    await join(email)
    const victim = browse()
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
    const planted = new Map(victim.cookies)
    await victim.send('post', '/auth/sign-in/email', { email, password: PASSWORD })
    expect((await victim.account())?.email).toBe(email)
    for (const [name, value] of planted) if (name.includes('session')) expect(victim.cookies.get(name)).not.toBe(value)
    // Nor is the planted one of any use to its owner afterwards.
    expect(await attacker.account()).toBeUndefined()
  })

  test('unsigned tokens are not accepted as a session', async () => {
    const browser = await join()
    const [name = '', value = ''] = [...browser.cookies].find(([each]) => each.includes('session')) ?? []
    const [token = ''] = decodeURIComponent(value).split('.')
    for (const forged of [
      token,
      `${token}.`,
      `${token}.AAAA`,
      encodeURIComponent(`${token}.${'A'.repeat(43)}=`),
      '.',
      '%',
    ]) {
      const other = browse()
      other.cookies.set(name, forged)
      expect([forged, await other.account()]).toEqual([forged, undefined])
    }
  })
})

const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2f/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/jobs\r\n',
  '/jobs\u007f',
  `${TEST_ORIGIN}/a\nb\u0001`,
  'javascript:alert(1)',
  'data:text/html,x',
  `${TEST_ORIGIN}@evil.example/`,
  `${TEST_ORIGIN}.evil.example/`,
  'http:evil.example',
  ' https://evil.example',
]

/** Returns whether a browser that follows the address of a response leaves the service. */
const leaves = (location: string | undefined): boolean =>
  location !== undefined && new URL(location, `${TEST_ORIGIN}/auth/x`).origin !== TEST_ORIGIN

describe.each(ELSEWHERE)('the address %j to return to', (target) => {
  test('is refused by every route that takes one', async () => {
    const email = newEmail()
    const requests: [string, object][] = [
      ['/auth/sign-up/email', { email, password: PASSWORD, name: '', callbackURL: target }],
      ['/auth/sign-in/email', { email, password: PASSWORD, callbackURL: target }],
      ...['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'].flatMap((name): [string, object][] => [
        ['/auth/sign-in/magic-link', { email, [name]: target }],
        ['/auth/sign-in/social', { provider: 'github', [name]: target }],
      ]),
      ['/auth/request-password-reset', { email, redirectTo: target }],
    ]
    for (const [path, body] of requests) {
      const { status } = await browse().send('post', path, body)
      expect([path, body, status >= 400]).toEqual([path, body, true])
    }
    const query = (...names: string[]) => names.map((name) => `${name}=${encodeURIComponent(target)}`).join('&')
    for (const path of [
      `/auth/verify-email?token=x&${query('callbackURL')}`,
      `/auth/reset-password/x?${query('callbackURL')}`,
      `/auth/callback/github?code=x&state=x&${query('callbackURL', 'errorCallbackURL')}`,
    ]) {
      const { headers } = await browse().send('get', path)
      expect([path, leaves(headers.location)]).toEqual([path, false])
    }
    for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const { headers } = await browse().send('post', `/auth/magic-link/verify?token=x&${query(name)}`)
      expect([name, leaves(headers.location)]).toEqual([name, false])
    }
  })
})

describe('programs that follow links before people do', () => {
  const prefetch = async (link: string) => {
    const responses = []
    for (const Accept of ['text/html', '*/*']) responses.push(await browse().send('get', link, undefined, { Accept }))
    return responses
  }

  test('do not use up a sign-in link, nor begin a session', async () => {
    const email = newEmail()
    await join(email)
    const sessions = await countSessions(email)
    await browse().send('post', '/auth/sign-in/magic-link', { email })
    const link = await linkTo(email)
    for (const { headers } of await prefetch(link)) expect(headers['set-cookie']).toBeUndefined()
    expect(await countSessions(email)).toBe(sessions)
    const browser = browse()
    expect((await browser.send('post', link)).status).toBe(303)
    expect((await browser.account())?.email).toBe(email)
  })

  test('do not use up a link to a new password', async () => {
    const email = newEmail()
    await join(email)
    await browse().send('post', '/auth/request-password-reset', { email })
    const link = await linkTo(email)
    await prefetch(link)
    const { headers } = await browse().send('get', link)
    const token = new URL(headers.location ?? '', TEST_ORIGIN).searchParams.get('token')
    const reset = await browse().send('post', '/auth/reset-password', { token, newPassword: 'another long password' })
    expect(reset.status).toBe(200)
  })

  test('do not take over an account that an operator created, for someone who has signed up with its address', async () => {
    const email = newEmail()
    await createByOperator(email, 'pro')
    const attacker = browse()
    const password = 'a password of Eve'
    await attacker.send('post', '/auth/sign-up/email', { name: 'Eve', email, password })
    const link = await linkTo(email)
    for (const { headers } of await prefetch(link)) expect(headers['set-cookie']).toBeUndefined()
    expect((await attacker.send('post', '/auth/sign-in/email', { email, password })).status).toBe(401)
  })

  test('confirm no sign-up for a free account, whatever they accept', async () => {
    const email = newEmail()
    const attacker = browse('203.0.113.1')
    const password = 'a password of Eve'
    await attacker.send('post', '/auth/sign-up/email', { name: 'Eve', email, password })
    const link = await linkTo(email)
    for (const Accept of ['*/*', 'application/json', 'text/html', null]) {
      const checked = await browse('198.51.100.7').send('get', link, undefined, { Accept })
      expect([Accept, checked.status, checked.text]).toEqual([
        Accept,
        200,
        expect.stringContaining('Create my account'),
      ])
    }
    expect((await attacker.send('post', '/auth/sign-in/email', { email, password })).status).toBe(401)
    // The program that has signed up may follow the link itself.
    const followed = await browse('203.0.113.1').send('get', link, undefined, { Accept: '*/*' })
    expect([followed.status, followed.headers.location]).toEqual([302, '/sign-in?verified=true'])
    expect((await attacker.send('post', '/auth/sign-in/email', { email, password })).status).toBe(200)
  })

  test('confirm no sign-up in a browser, where the owner of the address has to press a button', async () => {
    const email = newEmail()
    const attacker = browse()
    const password = 'a password of Eve'
    await attacker.send('post', '/auth/sign-up/email', { name: 'Eve', email, password })
    const link = await linkTo(email)
    const owner = browse()
    const page = await owner.send('get', link, undefined, { Accept: 'text/html,*/*' })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Create my account')])
    expect(page.text).toContain(email)
    expect((await attacker.send('post', '/auth/sign-in/email', { email, password })).status).toBe(401)
    expect((await owner.send('post', link)).status).toBe(303)
    // The button confirms the address, and signs in only the browser of the sign-up.
    expect(await owner.account()).toBeUndefined()
    expect((await owner.send('post', '/auth/sign-in/email', { email, password })).status).toBe(200)
  })
})
