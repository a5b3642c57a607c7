import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

const { db, mail, browse, join, newEmail, createByOperator } = useTestAccounts()

test('a person signs up, confirms the address and is signed in', async () => {
  const email = newEmail()
  const browser = browse()
  const signedUp = await browser.send('post', '/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD })
  expect([signedUp.status, signedUp.body]).toMatchObject([
    200,
    { token: null, user: { email, name: 'Ada', emailVerified: false } },
  ])
  expect(await browser.account()).toBeUndefined()
  const { link, text, html, headers } = await mail().next(email)
  expect(text).toContain(link)
  expect(html).toContain('Create my account')
  expect(headers.subject).toBe('Confirm your email address')
  const confirmed = await browser.send('get', link)
  expect([confirmed.status, confirmed.headers.location]).toEqual([302, '/'])
  const account = await browser.account()
  expect(account).toMatchObject({ email, name: 'Ada', signInWays: ['password', 'magic_link'], plan: 'free' })
  const session = await browser.send('get', '/auth/get-session')
  expect(session.body).toMatchObject({ user: { email }, session: { userId: account?.id } })
})

test('the link of a sign-up needs exactly one token', async () => {
  const email = newEmail()
  const browser = browse()
  await browser.send('post', '/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD })
  const { link } = await mail().next(email)
  for (const sent of ['/auth/verify-email', '/auth/verify-email?token=x&token=y', `${link}&token=x`]) {
    // Another browser would get a page with a button.
    for (const each of [browser, browse()]) {
      for (const [method, status] of [
        ['get', 302],
        ['post', 303],
      ] as const) {
        const { status: received, headers } = await each.send(method, sent)
        expect([received, headers.location]).toEqual([status, '/sign-in?error=INVALID_TOKEN'])
      }
    }
  }
  expect((await browser.send('get', link)).headers.location).toBe('/')
})

test('links and sign-ins lead to pages whose addresses have characters of any script', async () => {
  const email = newEmail()
  const browser = browse()
  const callbackURL = '/jobs?search=日本ü%25'
  const encoded = '/jobs?search=%E6%97%A5%E6%9C%AC%C3%BC%25'
  await browser.send('post', '/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD, callbackURL })
  const { link } = await mail().next(email)
  const confirmed = await browser.send('get', link)
  expect([confirmed.status, confirmed.headers.location]).toEqual([302, encoded])
  const signedIn = await browse().send('post', '/auth/sign-in/email', { email, password: PASSWORD, callbackURL })
  expect(signedIn.status).toBe(200)
  const refused = await browser.send('get', `/auth/verify-email?token=x&callbackURL=${encodeURIComponent('/日')}`)
  expect([refused.status, refused.headers.location]).toEqual([302, '/%E6%97%A5?error=INVALID_TOKEN'])
})

test('a person signs in with the password, and out', async () => {
  const email = newEmail()
  await join(email)
  const browser = browse()
  expect((await browser.send('post', '/auth/sign-in/email', { email, password: 'wrong password' })).status).toBe(401)
  const signedIn = await browser.send('post', '/auth/sign-in/email', { email: email.toUpperCase(), password: PASSWORD })
  expect([signedIn.status, signedIn.body.user?.email]).toEqual([200, email])
  const cookies = new Map(browser.cookies)
  expect(await browser.account()).toBeDefined()
  expect((await browser.send('post', '/auth/sign-out')).status).toBe(200)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect(await browser.account()).toBeUndefined()
})

test('a person signs up and in with a sign-in link, which works once', async () => {
  const email = newEmail()
  const browser = browse()
  expect((await browser.send('post', '/auth/sign-in/magic-link', { email })).body).toEqual({ status: true })
  const { link } = await mail().next(email)
  const page = await browser.send('get', link)
  expect(page.text).toContain(email)
  const [, action = ''] = /action="([^"]+)"/.exec(page.text) ?? []
  const signedIn = await browser.send('post', action.replaceAll('&amp;', '&'))
  expect([signedIn.status, signedIn.headers.location]).toEqual([303, 'http://127.0.0.1:3000/'])
  expect((await browser.account())?.email).toBe(email)
  const again = await browse().send('post', action.replaceAll('&amp;', '&'))
  expect(again.headers.location).toBe('http://127.0.0.1:3000/sign-in?error=INVALID_TOKEN')
})

test('a person sets a new password, which ends all other sessions', async () => {
  const email = newEmail()
  const other = await join(email)
  const browser = browse()
  await browser.send('post', '/auth/request-password-reset', { email })
  const { link } = await mail().next(email)
  const followed = await browser.send('get', link)
  const { searchParams, pathname } = new URL(followed.headers.location ?? '', 'http://127.0.0.1:3000')
  expect(pathname).toBe('/reset-password')
  const token = searchParams.get('token')
  const reset = await browser.send('post', '/auth/reset-password', { token, newPassword: 'another long password' })
  expect(reset.body).toEqual({ status: true })
  expect(await other.account()).toBeUndefined()
  expect((await browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD })).status).toBe(401)
  const signedIn = await browser.send('post', '/auth/sign-in/email', { email, password: 'another long password' })
  expect(signedIn.status).toBe(200)
  expect((await mail().next(email)).headers.subject).toBe('Your password was changed')
})

test('changing the password ends all other sessions', async () => {
  const email = newEmail()
  const other = await join(email)
  const browser = browse()
  await browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD })
  const changed = await browser.send('post', '/auth/change-password', {
    currentPassword: PASSWORD,
    newPassword: 'another long password',
  })
  expect(changed.status).toBe(200)
  expect(await browser.account()).toBeDefined()
  expect(await other.account()).toBeUndefined()
})

test('an account that an operator created becomes that of the owner of the address', async () => {
  const email = newEmail()
  await createByOperator(email, 'pro')
  const account = await (await join(email)).account()
  expect(account).toMatchObject({ email, plan: 'pro' })
  expect((await db.query('SELECT FROM api_keys WHERE user_id = $1', [account?.id])).rowCount).toBe(1)
})
