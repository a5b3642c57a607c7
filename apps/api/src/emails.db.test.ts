import { API_PREFIX, PLANS } from '@subtext/contracts'
import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import supertest from 'supertest'
import { useTestApi } from './testing/api.ts'
import { createTestSession } from './testing/sessions.ts'

let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
})

const api = useTestApi({
  get SMTP_URL() {
    return mail.url
  },
})
beforeAll(() => {
  api.sendEmails()
  api.onClose(() => mail.close())
})

test('using up a daily quota sends an email at 80 and at 100%, as plain text and as HTML', async () => {
  const { limit } = { limit: PLANS.plus.quota.daily }
  const session = await createTestSession(api, { plan: 'plus' })
  const url = 'https://youtu.be/dQw4w9WgXcQ'
  for (let used = 0; used < limit; used++) {
    const submitted = await supertest(api.app).post(`${API_PREFIX}/videos/process`).set(session.headers).send({ url })
    expect(submitted.status).toBe(202)
  }
  const emails = [await mail.next(session.email), await mail.next(session.email)]
  for (const { headers, text, html } of emails) {
    expect(headers['content-type']).toMatch(/^multipart\/alternative/)
    expect(text).toContain(`${limit} videos that your plan includes today.`)
    expect(html).toContain('View my usage')
  }
  expect(emails.map(({ headers }) => headers.subject).sort()).toEqual([
    '80% of your daily quota is used',
    'Your daily quota is used up',
  ])
})

test('creating a key sends an email that names the key and does not contain it', async () => {
  const session = await createTestSession(api)
  const name = '<b>Import</b> Bcc: all@example.org'
  const { body } = await supertest(api.app).post(`${API_PREFIX}/account/keys`).set(session.headers).send({ name })
  const { text, html, headers, raw } = await mail.next(session.email)
  expect(headers.subject).toBe('A new API key')
  expect(text).toContain(body.data.last_four)
  expect(html).toContain('&lt;b&gt;Import&lt;/b&gt;')
  expect(raw).not.toContain(body.data.key)
})
