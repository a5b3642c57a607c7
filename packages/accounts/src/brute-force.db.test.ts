import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

let now = new Date()
const { db, browse, join, newEmail, openBeside } = useTestAccounts(
  () => ({ limitPerNetwork: 20 }),
  () => now,
)
beforeEach(async () => {
  now = new Date()
  await db.query('DELETE FROM attempt_counts')
})

let networks = 0
/** Returns an address of a network from which nothing has come before. */
const newAddress = (): string => `2001:db8:${(++networks).toString(16)}:1::1`

const signIn = (email: string, password: string, address = newAddress()) =>
  browse(address).send('post', '/auth/sign-in/email', { email, password })

const repeat = async (times: number, run: (at: number) => PromiseLike<{ status: number }>): Promise<number[]> => {
  const statuses = []
  for (let at = 0; at < times; at++) statuses.push((await run(at)).status)
  return statuses
}

test('after ten wrong passwords from one network, it may not guess those of the account for a while, even the right one', async () => {
  const email = newEmail()
  await join(email)
  const network = newAddress()
  expect(await repeat(10, () => signIn(email, 'wrong password', network))).toEqual(Array(10).fill(401))
  const refused = await signIn(email, PASSWORD, network)
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await signIn(newEmail(), 'wrong password', network)).status).toBe(401)
  now = new Date(now.getTime() + 901_000)
  expect((await signIn(email, PASSWORD, network)).status).toBe(200)
})

test('guesses from one network do not lock out the owner, who signs in from another one', async () => {
  const email = newEmail()
  await join(email)
  const network = newAddress()
  await repeat(120, () => signIn(email, 'wrong password', network))
  expect((await signIn(email, PASSWORD)).status).toBe(200)
})

test('after a hundred wrong passwords from all networks, only browsers that have signed in before may try', async () => {
  const email = newEmail()
  const owner = await join(email)
  await owner.send('post', '/auth/sign-out', {})
  expect(await repeat(101, () => signIn(email, 'wrong password'))).toEqual([...Array(100).fill(401), 429])
  expect((await signIn(email, PASSWORD)).status).toBe(429)
  expect((await owner.send('post', '/auth/sign-in/email', { email, password: PASSWORD })).status).toBe(200)
  // The cookie is about this account.
  const other = newEmail()
  await join(other)
  await repeat(100, () => signIn(other, 'wrong password'))
  const body = { email: other, password: PASSWORD }
  expect((await owner.send('post', '/auth/sign-in/email', body)).status).toBe(429)
  now = new Date(now.getTime() + 3_601_000)
  expect((await signIn(email, PASSWORD)).status).toBe(200)
})

test('a browser that has signed in before has ten attempts of its own, whatever its network has done', async () => {
  const email = newEmail()
  const owner = await join(email)
  await owner.send('post', '/auth/sign-out', {})
  await repeat(11, () => signIn(email, 'wrong password', '127.0.0.1'))
  const attempt = (password: string) => owner.send('post', '/auth/sign-in/email', { email, password })
  expect((await attempt(PASSWORD)).status).toBe(200)
  expect(await repeat(11, () => attempt('wrong password'))).toEqual([...Array(10).fill(401), 429])
})

test('many browsers that have signed in before have a hundred attempts together', async () => {
  const email = newEmail()
  await join(email)
  const browsers = Array.from({ length: 11 }, () => browse(newAddress()))
  const attempt = (browser: (typeof browsers)[number], password: string) =>
    browser.send('post', '/auth/sign-in/email', { email, password })
  for (const browser of browsers) expect((await attempt(browser, PASSWORD)).status).toBe(200)
  const statuses = []
  for (const browser of browsers) statuses.push(...(await repeat(10, () => attempt(browser, 'wrong password'))))
  expect(statuses).toEqual([...Array(100).fill(401), ...Array(10).fill(429)])
})

test('a browser is known for 180 days, and only by a cookie that the service has signed', async () => {
  const email = newEmail()
  const owner = await join(email)
  const [name, value] = [...owner.cookies].find(([each]) => each.includes('known_browser')) ?? ['', '']
  await repeat(100, () => signIn(email, 'wrong password'))
  const attempt = async (cookie: string) => {
    const browser = browse(newAddress())
    browser.cookies.set(name, cookie)
    return (await browser.send('post', '/auth/sign-in/email', { email, password: PASSWORD })).status
  }
  expect(await attempt(`${value.slice(0, -4)}AAAA`)).toBe(429)
  expect(await attempt(value)).toBe(200)
  now = new Date(now.getTime() + 181 * 86_400_000)
  await repeat(100, () => signIn(email, 'wrong password'))
  expect(await attempt(value)).toBe(429)
})

test('an address without an account is limited in the same way', async () => {
  const email = newEmail()
  const network = newAddress()
  expect(await repeat(11, () => signIn(email, 'wrong password', network))).toEqual([...Array(10).fill(401), 429])
})

test('spelling the address differently, or sending guesses at the same time, allows no further guesses', async () => {
  const email = newEmail()
  await join(email)
  const variants = [email.toUpperCase(), ` ${email}`, `${email} `, email.replace('p', 'P')]
  const network = newAddress()
  const sent = Array.from({ length: 14 }, (_, at) => signIn(variants[at % 4] ?? email, 'wrong password', network))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401).length).toBe(10)
  expect(statuses.filter((status) => status === 429).length).toBe(4)
})

test('a correct password resets the count of wrong ones', async () => {
  const email = newEmail()
  await join(email)
  const network = newAddress()
  await repeat(9, () => signIn(email, 'wrong password', network))
  expect((await signIn(email, PASSWORD, network)).status).toBe(200)
  expect(await repeat(3, () => signIn(email, 'wrong password', network))).toEqual([401, 401, 401])
})

test('a network of IPv6 counts as one address, and so does an IPv4 address however it is written', async () => {
  const v6 = (at: number) => signIn(newEmail(), 'wrong password', `2001:db8:ffff:7:${at.toString(16)}::${at}`)
  expect(await repeat(21, v6)).toEqual([...Array(20).fill(401), 429])
  expect((await signIn(newEmail(), 'wrong password', '2001:db8:ffff:8::1')).status).toBe(401)
  const v4 = (at: number) => signIn(newEmail(), 'wrong password', at % 2 ? '203.0.113.9' : '::ffff:203.0.113.9')
  expect(await repeat(21, v4)).toEqual([...Array(20).fill(401), 429])
})

test.each([
  ['/auth/sign-up/email', { name: 'Ada', password: PASSWORD }],
  ['/auth/sign-in/magic-link', {}],
  ['/auth/request-password-reset', {}],
])('%s sends ten emails an hour to an address from one network, and thirty from all', async (path, body) => {
  const email = newEmail()
  const owner = await join(email)
  const network = newAddress()
  const ask = (address: string) => browse(address).send('post', path, { ...body, email })
  expect(await repeat(12, () => ask(network))).toEqual([...Array(10).fill(200), 429, 429])
  // Signing up has sent the first one.
  expect(await repeat(20, () => ask(newAddress()))).toEqual([...Array(19).fill(200), 429])
  const { rowCount } = await db.query('SELECT FROM emails WHERE recipient = $1', [email])
  expect(rowCount).toBe(30)
  expect((await owner.send('post', path, { ...body, email })).status).toBe(200)
})

test('a stolen session cannot guess the password through any endpoint', async () => {
  const stolen = (await join()).cookies
  const guess = (at: number) => {
    const browser = browse(newAddress())
    for (const [name, value] of stolen) browser.cookies.set(name, value)
    return at % 2 === 0
      ? browser.send('post', '/auth/verify-password', { password: 'wrong password' })
      : browser.send('post', '/auth/change-password', {
          currentPassword: 'wrong password',
          newPassword: 'another long password',
        })
  }
  expect(await repeat(11, guess)).toEqual([...Array(10).fill(400), 429])
})

test('the limits hold over all processes together', async () => {
  const email = newEmail()
  const browseBeside = openBeside()
  const network = newAddress()
  const ask = (at: number) =>
    (at % 2 === 0 ? browse : browseBeside)(network).send('post', '/auth/sign-in/magic-link', { email })
  expect(await repeat(11, ask)).toEqual([...Array(10).fill(200), 429])
})
