import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

const { db, mail, browse, join, newEmail } = useTestAccounts()
const NEW = 'another long password'

const signIn = (email: string, password: string) => browse().send('post', '/auth/sign-in/email', { email, password })

/** Asks for a new password. Returns the token that the page gets. */
async function requestToken(email: string): Promise<string> {
  await browse().send('post', '/auth/request-password-reset', { email })
  for (;;) {
    const { headers, link } = await mail().next(email)
    if (headers.subject !== 'Choose a new password') continue
    const followed = await browse().send('get', link)
    return new URL(followed.headers.location ?? '', 'http://127.0.0.1:3000').searchParams.get('token') ?? ''
  }
}
const reset = (token: string, newPassword: string) =>
  browse().send('post', '/auth/reset-password', { token, newPassword })

test('a link to a new password works once, however often it is used at the same moment', async () => {
  const email = newEmail()
  await join(email)
  const token = await requestToken(email)
  const passwords = Array.from({ length: 5 }, (_, at) => `${NEW} ${at}`)
  const statuses = (await Promise.all(passwords.map((password) => reset(token, password)))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const winner = passwords[statuses.indexOf(200)] ?? ''
  for (const password of passwords) expect((await signIn(email, password)).status).toBe(password === winner ? 200 : 401)
  for (const used of [token, '\u0000']) expect((await reset(used, PASSWORD)).status).toBe(400)
})

test('a new password ends the other links to one', async () => {
  const email = newEmail()
  await join(email)
  const [first, second] = [await requestToken(email), await requestToken(email)]
  expect((await reset(second, NEW)).status).toBe(200)
  expect((await reset(first, PASSWORD)).status).toBe(400)
  expect((await signIn(email, NEW)).status).toBe(200)
})

test('changing the password ends the links to a new one', async () => {
  const email = newEmail()
  const browser = await join(email)
  const token = await requestToken(email)
  const changed = await browser.send('post', '/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW })
  expect(changed.status).toBe(200)
  expect((await reset(token, PASSWORD)).status).toBe(400)
})

test('the old password leaves no session behind, however its use and the reset overlap', async () => {
  const email = newEmail()
  await join(email)
  const token = await requestToken(email)
  const browsers = Array.from({ length: 8 }, () => browse())
  const attempts = browsers.map((browser) => browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD }))
  const [done] = await Promise.all([reset(token, NEW), ...attempts])
  expect(done.status).toBe(200)
  for (const browser of browsers) expect(await browser.account()).toBeUndefined()
  expect((await signIn(email, PASSWORD)).status).toBe(401)
})

test.each(['', 'too short', 'x'.repeat(129), `${NEW}\u0000`, `${NEW}\ud800`])(
  'refuses the password %j',
  async (password) => {
    const email = newEmail()
    const signedUp = await browse().send('post', '/auth/sign-up/email', { name: '', email, password })
    expect(signedUp.status).toBe(400)
  },
)

test.each([
  ['Unicode that looks like ASCII', 'adа@example.org'],
  ['the Kelvin sign', 'mi\u212ae@example.org'],
  ['a dotless i', 'mıke@example.org'],
  ['full-width letters', 'ａda@example.org'],
  ['an internationalized domain', 'ada@exämple.org'],
  ['a line break', 'ada@example.org\r\nBcc: eve@example.org'],
  ['two addresses', 'ada@example.org,eve@example.org'],
  ['a display name', 'Ada <ada@example.org>'],
  ['quotes', '"ada@evil.example"@example.org'],
  ['a comment', 'ada(eve)@example.org'],
  ['NUL', 'ada\u0000@example.org'],
])('accepts no address with %s', async (_, email) => {
  const normalized = email.toLowerCase()
  for (const [path, body] of [
    ['/auth/sign-up/email', { email, name: '', password: PASSWORD }],
    ['/auth/sign-in/magic-link', { email }],
    ['/auth/request-password-reset', { email }],
  ] as const) {
    const { status } = await browse().send('post', path, body)
    expect([path, status]).toEqual([path, 400])
  }
  expect(mail().received.filter(({ to }) => to === normalized || to === 'eve@example.org')).toEqual([])
})

test('one address is one account, however its letters are written', async () => {
  const email = newEmail()
  await join(email)
  for (const variant of [email.toUpperCase(), ` ${email} `, email.replace('person', 'PerSon')]) {
    const signedIn = await signIn(variant, PASSWORD)
    expect([variant, signedIn.status, signedIn.body.user?.email]).toEqual([variant, 200, email])
  }
  await browse().send('post', '/auth/sign-up/email', { name: '', email: email.toUpperCase(), password: NEW })
  expect((await mail().next(email)).headers.subject).toBe('You already have an account')
})

describe.each(['changing', 'resetting'])('%s the password', (way) => {
  test.each([
    ['disconnects applications and ends feeds', {}, 0],
    ['leaves them if the person wants it', { disconnectApps: false }, 1],
  ])('%s', async (_, wish, left) => {
    const email = newEmail()
    const browser = await join(email)
    await db.query(
      `INSERT INTO oauth_grants (id, user_id, client_id, client_name, redirect_uri, scopes, resource, created_at, expires_at)
       SELECT gen_random_uuid(), id, 'client', 'An app', 'http://127.0.0.1/', '{read}', 'mcp', now(), now() + interval '1 day'
       FROM users WHERE email = $1`,
      [email],
    )
    // Consent whose code has not been exchanged yet.
    await db.query(
      `INSERT INTO oauth_codes (hash, user_id, client_id, client_name, redirect_uri, scopes, resource, challenge, expires_at)
       SELECT decode(md5($1), 'hex'), id, 'client', 'An app', 'http://127.0.0.1/', '{read}', 'mcp', '', now() + interval '1 minute'
       FROM users WHERE email = $1`,
      [email],
    )
    await db.query(
      `INSERT INTO feeds (id, user_id, token_hash, created_at)
       SELECT gen_random_uuid(), id, decode(md5($1), 'hex'), now() FROM users WHERE email = $1`,
      [email],
    )
    const reply =
      way === 'changing'
        ? await browser.send('post', '/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW, ...wish })
        : await browse().send('post', '/auth/reset-password', {
            token: await requestToken(email),
            newPassword: NEW,
            ...wish,
          })
    expect(reply.status).toBe(200)
    const { rowCount } = await db.query(
      'SELECT FROM oauth_grants WHERE revoked_at IS NULL AND user_id = (SELECT id FROM users WHERE email = $1)',
      [email],
    )
    const codes = await db.query('SELECT FROM oauth_codes WHERE user_id = (SELECT id FROM users WHERE email = $1)', [
      email,
    ])
    const feeds = await db.query('SELECT FROM feeds WHERE user_id = (SELECT id FROM users WHERE email = $1)', [email])
    expect([rowCount, codes.rowCount, feeds.rowCount]).toEqual([left, left, left])
  })
})
