import { PASSWORD, useTestAccounts } from './testing/use-test-accounts.ts'

let now = new Date()
const { db, browse, join, newEmail, openBeside } = useTestAccounts(
  () => ({ limitPerNetwork: 5 }),
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

test('after ten wrong passwords an account is closed to guesses from any network, even right ones, for a while', async () => {
  const email = newEmail()
  await join(email)
  expect(await repeat(10, () => signIn(email, 'wrong password'))).toEqual(Array(10).fill(401))
  const refused = await signIn(email, PASSWORD)
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await signIn(newEmail(), 'wrong password')).status).toBe(401)
  now = new Date(now.getTime() + 901_000)
  expect((await signIn(email, PASSWORD)).status).toBe(200)
})

test('an address without an account is limited in the same way', async () => {
  const email = newEmail()
  expect(await repeat(11, () => signIn(email, 'wrong password'))).toEqual([...Array(10).fill(401), 429])
})

test('spelling the address differently, or sending guesses at the same time, allows no further guesses', async () => {
  const email = newEmail()
  await join(email)
  const variants = [email.toUpperCase(), ` ${email}`, `${email} `, email.replace('p', 'P')]
  const sent = Array.from({ length: 14 }, (_, at) => signIn(variants[at % 4] ?? email, 'wrong password'))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401).length).toBe(10)
  expect(statuses.filter((status) => status === 429).length).toBe(4)
})

test('a correct password resets the count of wrong ones', async () => {
  const email = newEmail()
  await join(email)
  await repeat(9, () => signIn(email, 'wrong password'))
  expect((await signIn(email, PASSWORD)).status).toBe(200)
  expect(await repeat(3, () => signIn(email, 'wrong password'))).toEqual([401, 401, 401])
})

test('a network of IPv6 counts as one address, and so does an IPv4 address however it is written', async () => {
  const v6 = (at: number) => signIn(newEmail(), 'wrong password', `2001:db8:ffff:7:${at.toString(16)}::${at}`)
  expect(await repeat(6, v6)).toEqual([...Array(5).fill(401), 429])
  expect((await signIn(newEmail(), 'wrong password', '2001:db8:ffff:8::1')).status).toBe(401)
  const v4 = (at: number) => signIn(newEmail(), 'wrong password', at % 2 ? '203.0.113.9' : '::ffff:203.0.113.9')
  expect(await repeat(6, v4)).toEqual([...Array(5).fill(401), 429])
})

test.each([
  ['/auth/sign-up/email', { name: 'Ada', password: PASSWORD }],
  ['/auth/sign-in/magic-link', {}],
  ['/auth/request-password-reset', {}],
])('%s sends ten emails an hour to an address, from whatever networks', async (path, body) => {
  const email = newEmail()
  const ask = () => browse(newAddress()).send('post', path, { ...body, email })
  expect(await repeat(11, ask)).toEqual([...Array(10).fill(200), 429])
  const { rowCount } = await db.query('SELECT FROM emails WHERE recipient = $1', [email])
  expect(rowCount).toBe(10)
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
  const ask = (at: number) =>
    (at % 2 === 0 ? browse : browseBeside)(newAddress()).send('post', '/auth/sign-in/magic-link', { email })
  expect(await repeat(11, ask)).toEqual([...Array(10).fill(200), 429])
})
