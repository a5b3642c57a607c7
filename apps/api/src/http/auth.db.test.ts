import { TEST_ORIGIN } from '@subtext/accounts/testing'
import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { openBrowser } from '../testing/browser.ts'
import { createTestSession } from '../testing/sessions.ts'

let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
})

const api = useTestApi({
  PUBLIC_BASE_URL: TEST_ORIGIN,
  TRUST_PROXY_HOPS: '1',
  AUTH_LIMIT_ADDRESS: '5',
  get SMTP_URL() {
    return mail.url
  },
})
beforeAll(() => {
  api.sendEmails()
  api.onClose(() => mail.close())
})
beforeEach(() => api.context.db.query('DELETE FROM attempt_counts'))

const PASSWORD = 'correct horse battery'
const ACCOUNT = '/api/v1/account'
const browse = () => openBrowser(api.app)
const from = (address: string) => ({ 'X-Forwarded-For': address })
const guess = (headers: Record<string, string>, app = api.app) =>
  openBrowser(app).send(
    'post',
    '/auth/sign-in/email',
    { email: 'ada@example.org', password: 'wrong password' },
    headers,
  )

/** Joins with a password. Returns the browser, and the link in the email. */
async function join(email: string) {
  const browser = browse()
  await browser.send('post', '/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD })
  const { link } = await mail.next(email)
  return { browser, link, confirmed: await browser.send('get', link) }
}

test('a person signs up over HTTP, and the session in the cookie is that of the API', async () => {
  const email = 'joins@example.org'
  const { browser, confirmed } = await join(email)
  expect([confirmed.status, confirmed.headers.location]).toEqual([302, '/'])
  const { body } = await browser.send('get', ACCOUNT)
  expect(body.data).toMatchObject({ user: { email, sign_in_ways: ['password', 'magic_link'] }, plan: 'free' })
  const [, value = ''] = [...browser.cookies].find(([name]) => name.includes('session')) ?? []
  const [token = ''] = decodeURIComponent(value).split('.')
  expect((await supertest(api.app).get(ACCOUNT).auth(token, { type: 'bearer' })).status).toBe(401)
  expect((await browser.send('post', '/auth/sign-out')).status).toBe(200)
  expect(await browser.send('get', ACCOUNT)).toBeRefused(401, 'UNAUTHORIZED')
})

test('a sign-in link leads to a page whose form is sent with the origin of the page', async () => {
  const email = 'linked@example.org'
  await browse().send('post', '/auth/sign-in/magic-link', { email })
  const page = await browse().send('get', (await mail.next(email)).link)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(email)])
  // Browsers would send the form without it.
  expect(page.headers['referrer-policy']).toBe('same-origin')
})

test('programs that check links with HEAD before people follow them use up none', async () => {
  const email = 'checked@example.org'
  await browse().send('post', '/auth/sign-in/magic-link', { email })
  const { link } = await mail.next(email)
  for (const Accept of ['text/html', '*/*']) {
    const { status, headers } = await supertest(api.app).head(link.replace(TEST_ORIGIN, '')).set({ Accept })
    expect([status, headers['set-cookie']]).toEqual([200, undefined])
  }
  expect((await browse().send('post', link)).status).toBe(303)
})

test('errors have the envelope of the API, with the code and message that clients of better-auth expect beside it', async () => {
  const wrong = await guess({})
  expect(wrong).toBeRefused(401, 'UNAUTHORIZED')
  expect(wrong.body).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD', message: expect.stringContaining('is wrong') })
  const reset = await browse().send('post', '/auth/reset-password', { token: 'x', newPassword: PASSWORD })
  expect(reset).toBeRefused(400, 'VALIDATION_ERROR', 'token')
  const short = await browse().send('post', '/auth/sign-up/email', { email: 'a@example.org', password: 'short' })
  expect(short).toBeRefused(400, 'VALIDATION_ERROR', 'password')
  expect(await browse().send('get', '/auth/list-sessions')).toBeRefused(404, 'NOT_FOUND')
  expect((await browse().send('get', '/auth/sign-out')).status).toBe(405)
})

test('attempts are counted by the address that the trusted proxy has seen, without Redis', async () => {
  const { app } = api.openBeside({ REDIS_URL: 'redis://127.0.0.1:1' })
  const statuses: number[] = []
  for (let at = 0; at < 6; at++)
    statuses.push((await guess(from(`198.51.100.${at}, 203.0.113.77`), at % 2 ? app : api.app)).status)
  expect(statuses).toEqual([...Array(5).fill(401), 429])
  const refused = await guess(from('203.0.113.77'))
  expect(refused).toBeRefused(429, 'RATE_LIMITED')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await guess(from('203.0.113.78'))).status).toBe(401)
})

test('forwarded addresses are ignored if no proxy is trusted', async () => {
  await api.withEnv({ TRUST_PROXY_HOPS: '0' }, async (app) => {
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) statuses.push((await guess(from(`198.51.100.${at}`), app)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('requests that other sites have sent', () => {
  const changing: [string, object][] = [
    ['/auth/sign-up/email', { email: 'a@example.org', password: PASSWORD, name: '' }],
    ['/auth/sign-in/email', { email: 'a@example.org', password: PASSWORD }],
    ['/auth/sign-in/magic-link', { email: 'a@example.org' }],
    ['/auth/sign-in/social', { provider: 'github' }],
    ['/auth/sign-out', {}],
    ['/auth/request-password-reset', { email: 'a@example.org' }],
    ['/auth/reset-password', { newPassword: PASSWORD, token: 'x' }],
    ['/auth/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }],
    ['/auth/verify-password', { password: PASSWORD }],
    ['/auth/magic-link/verify?token=x', {}],
    ['/auth/verify-email?token=x', {}],
  ]

  test.each(changing)('%s refuses them, with a session and without', async (path, body) => {
    const { headers: own } = await createTestSession(api)
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `${TEST_ORIGIN}.evil.example` },
      { Origin: TEST_ORIGIN.replace('http', 'https') },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: TEST_ORIGIN, 'Sec-Fetch-Site': 'same-site' },
      { Origin: null, 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      for (const session of [own, {}]) {
        const sent = { ...session, ...(headers as Record<string, string>) }
        const { status, body: reply } = await browse().send('post', path, body, sent)
        expect([headers, status, reply.error?.code]).toEqual([headers, 403, 'FORBIDDEN_ORIGIN'])
      }
    }
    expect(await browse().send('post', path, body, { ...own, Origin: null })).toBeRefused(403, 'FORBIDDEN_ORIGIN')
    expect((await browse().send('get', ACCOUNT, undefined, own)).status).toBe(200)
  })

  test('forms cannot carry JSON: other media types are refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const request = supertest(api.app).post('/auth/sign-in/email').set('Content-Type', type)
      const response = await request.send(JSON.stringify({ email: 'ada@example.org', password: PASSWORD }))
      expect([type, response.status]).toEqual([type, 415])
    }
  })

  test('a session changes nothing on the API by a request that Fetch Metadata calls foreign', async () => {
    const { headers } = await createTestSession(api)
    const submit = (site: string) =>
      browse().send(
        'post',
        '/api/v1/videos/process',
        { url: 'https://youtu.be/dQw4w9WgXcQ' },
        { ...headers, 'Sec-Fetch-Site': site },
      )
    expect((await submit('cross-site')).body.error.code).toBe('FORBIDDEN_ORIGIN')
    expect((await submit('same-origin')).status).toBe(202)
  })

  test('no response lets other sites read it', async () => {
    const { headers: own } = await createTestSession(api)
    for (const path of ['/auth/get-session', ACCOUNT, '/auth/options']) {
      const { headers } = await browse().send('get', path, undefined, { ...own, Origin: 'https://evil.example' })
      expect([path, headers['access-control-allow-origin']]).toEqual([path, undefined])
    }
  })
})
