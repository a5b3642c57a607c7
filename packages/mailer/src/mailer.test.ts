import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OutgoingEmail, UndeliverableError } from '@subtext/core/emails'
import { createMailer } from './mailer.ts'
import { type MailServer, startMailServer } from './testing/mail-server.ts'
import { parseEmail } from './testing/parse-email.ts'

let server: MailServer
beforeEach(async () => {
  server = await startMailServer()
})
afterEach(() => server.close())

const ORIGIN = 'https://subtext.example.org'

const mailer = (smtpUrl = server.url) =>
  createMailer({
    smtpUrl,
    directory: '',
    from: 'Subtext <no-reply@example.org>',
    origin: ORIGIN,
    onFile: () => {},
  })

const email = (overrides: Partial<OutgoingEmail> = {}): OutgoingEmail => ({
  id: '0190a5b2-0000-7000-8000-000000000001',
  recipient: 'ada@example.org',
  kind: 'password_changed',
  data: {},
  link: null,
  createdAt: new Date('2026-11-22T12:00:00Z'),
  ...overrides,
})

const EMAILS: Partial<OutgoingEmail>[] = [
  ...['confirm_address', 'sign_in_link', 'reset_password'].map((kind) => ({ kind, link: `${ORIGIN}/a?b=1&c=2` })),
  ...['account_exists', 'no_account', 'not_invited', 'password_changed'].map((kind) => ({ kind })),
  { kind: 'key_created', data: { name: 'Import', label: 'sk_abc…1234' } },
  { kind: 'app_connected', data: { name: 'Claude', place: 'claude.ai' } },
  { kind: 'endpoint_disabled', data: { url: 'https://hooks.example.org/a' } },
  {
    kind: 'subscription_digest',
    data: {
      source: 'A channel',
      themes: [
        { title: 'Tides', points: [{ text: 'Tides turn.', url: 'https://video.example/?t=4', video: 'The sea' }] },
      ],
      videos: [
        {
          title: 'The sea',
          url: 'https://video.example/',
          state: 'processed',
          reason: null,
          summary: 'Waves.',
          matches: [],
        },
      ],
      more: 0,
      stop: '/emails/stop/a/b',
    },
  },
  ...[80, 100].map((percent) => ({
    kind: 'quota_reached',
    data: { quota: 'daily', percent, limit: 1_000, resets_at: '2026-11-23T00:00:00Z' },
  })),
]

test.each(EMAILS)('sends $kind as plain text and as HTML that say the same', async (content) => {
  await mailer()(email(content))
  const { text, html, headers, to } = await server.next('ada@example.org')
  expect([to, headers.from, headers['auto-submitted']]).toEqual([
    'ada@example.org',
    'Subtext <no-reply@example.org>',
    'auto-generated',
  ])
  expect(headers['content-type']).toMatch(/^multipart\/alternative/)
  expect(html).toContain(`<h1 style="font-size:20px">${headers.subject}</h1>`)
  const [paragraph = ''] = text.split(/(?:\r?\n){2}/)
  expect(html.replaceAll('&amp;', '&').replaceAll('&#39;', "'")).toContain(paragraph)
  if (content.link) {
    expect(text).toContain(content.link)
    expect(html).toContain(`href="${content.link.replaceAll('&', '&amp;')}"`)
  }
})

test('links to the page for a new password when the password was changed', async () => {
  await mailer()(email({ kind: 'password_changed' }))
  const { text, html } = await server.next('ada@example.org')
  expect(text).toContain(`Set a new password:\r\n${ORIGIN}/forgot-password`)
  expect(html).toContain(`href="${ORIGIN}/forgot-password"`)
})

test('breaks long addresses, so that a phone shows all of them', async () => {
  await mailer()(email({ kind: 'endpoint_disabled', data: { url: `https://hooks.example.org/${'a'.repeat(200)}` } }))
  expect((await server.next('ada@example.org')).html).toMatch(/<body style="[^"]*overflow-wrap:anywhere/)
})

test.each([
  [80, 'You have used 80% of the 1,000 videos that your plan includes today.'],
  [100, 'You have used all 1,000 videos that your plan includes today.'],
])('says how many videos %d%% of the quota are', async (percent, sentence) => {
  const data = { quota: 'daily', percent, limit: 1_000, resets_at: '2026-11-23T00:00:00Z' }
  await mailer()(email({ kind: 'quota_reached', data }))
  expect((await server.next('ada@example.org')).text).toContain(sentence)
})

test('text from outside adds no header, recipient or markup', async () => {
  const name = 'x”\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script>'
  await mailer()(email({ kind: 'key_created', data: { name, label: '<img src=x>' } }))
  await mailer()(email({ kind: 'endpoint_disabled', data: { url: 'https://a.example/"><script>1</script>' } }))
  for (const subject of ['A new API key', 'A webhook endpoint was disabled']) {
    const { headers, html } = await server.next('ada@example.org')
    expect([headers.subject, headers.bcc]).toEqual([subject, undefined])
    expect(html).not.toMatch(/<script|<img/)
  }
  expect(server.received).toHaveLength(2)
})

test.each([
  'ada@example.org\r\nBcc: eve@example.org',
  'ada@example.org, eve@example.org',
  'ada@example.org\r\nRCPT TO:<eve@example.org>',
  '<ada@example.org> eve@example.org',
])('an address that contains more than one reaches nobody else: %j', async (recipient) => {
  await mailer()(email({ recipient })).catch(() => {})
  expect(server.received.map(({ to }) => to)).not.toContain('eve@example.org')
  expect(server.received.every(({ headers }) => headers.bcc === undefined)).toBe(true)
})

test('tells what the server refuses for good from what may succeed later', async () => {
  const send = mailer()
  server.refuse(550)
  await expect(send(email())).rejects.toBeInstanceOf(UndeliverableError)
  server.refuse(451)
  await expect(send(email())).rejects.not.toBeInstanceOf(UndeliverableError)
  server.refuse(null)
  await send(email())
  expect((await server.next('ada@example.org')).headers['message-id']).toBe(
    '<0190a5b2-0000-7000-8000-000000000001@subtext.example.org>',
  )
})

test.each([
  ['sign-in', 535, '5.7.8 authentication failed'],
  ['sender', 553, 'sender rejected'],
  ['recipient', 553, '5.7.1 Sender address rejected: not owned by user'],
  ['recipient', 554, '5.7.1 Relay access denied'],
  ['message', 550, 'The from address does not match a verified Sender Identity.'],
  ['message', 550, 'Unauthenticated senders not allowed'],
  ['message', 554, 'Message rejected: Email address is not verified. The identity failed the check: ada@example.org'],
  ['message', 554, 'Message rejected: Sending paused for this account.'],
  ['message', 550, 'Authentication failed: Maximum credits exceeded'],
  ['message', 554, 'Sending suspended for this account. Contact support.'],
  ['message', 554, 'Access denied: User is not authorized to perform ses:SendRawEmail'],
] as const)('keeps an email if a setting is wrong: the %s is refused with %d %s', async (step, code, reason) => {
  const send = mailer(server.url.replace('//', '//service:wrong@'))
  server.refuse(code, step, reason)
  const error = await send(email()).catch((thrown) => thrown)
  expect([error.responseCode, error instanceof UndeliverableError]).toEqual([code, false])
  server.refuse(null)
  await send(email())
  expect(server.received).toHaveLength(1)
})

test.each([
  ['recipient', 550, '5.1.1 No such user'],
  ['recipient', 550, 'Requested action not taken: mailbox unavailable'],
  ['message', 554, 'Transaction failed: Address contains illegal characters'],
  ['recipient', 552, '5.2.2 Mailbox full, returned to sender'],
] as const)('gives an email up if the %s is refused with %d %s', async (step, code, reason) => {
  server.refuse(code, step, reason)
  await expect(mailer()(email())).rejects.toBeInstanceOf(UndeliverableError)
})

test('does not take the address of a recipient for a reason to keep the email', async () => {
  for (const recipient of ['sender@example.org', 'a.sender@senders.example.org']) {
    server.refuse(550, 'recipient', `Mailbox unavailable: <${recipient}>`)
    await expect(mailer()(email({ recipient }))).rejects.toBeInstanceOf(UndeliverableError)
  }
})

test('a mail server that is away is no reason to give up', async () => {
  const away = await startMailServer()
  await away.close()
  const send = createMailer({
    smtpUrl: away.url,
    directory: '',
    from: 'a@example.org',
    origin: ORIGIN,
    onFile: () => {},
  })
  await expect(send(email())).rejects.not.toBeInstanceOf(UndeliverableError)
})

describe('emails of subscriptions', () => {
  const stop = '/emails/stop/id/key'
  const video = (changes: object = {}) => ({
    title: 'A title',
    url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    state: 'processed',
    reason: null,
    summary: null,
    matches: [],
    ...changes,
  })
  const receive = async (overrides: Partial<OutgoingEmail>) => {
    await mailer()(email(overrides))
    return server.next('ada@example.org')
  }

  test('show what others have written as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&amp;\r\nBcc: eve@example.org'
    const found = video({
      title: hostile,
      summary: hostile,
      matches: [{ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1s', text: hostile }],
    })
    const { html, text, headers } = await receive({
      kind: 'subscription_video',
      data: { source: hostile, video: found, stop },
    })
    expect(html).not.toMatch(/<img|onerror=alert\(1\)>"/)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text).toContain('<img src=x onerror=alert(1)>')
    expect([headers.bcc, headers['list-unsubscribe']]).toEqual([undefined, `<${ORIGIN}${stop}>`])
    expect(server.received.map(({ to }) => to)).toEqual(['ada@example.org'])
  })

  test('begin with what was looked for, end with what was skipped and why, and can be stopped', async () => {
    const { text, html } = await receive({
      kind: 'subscription_digest',
      data: {
        source: 'A channel',
        videos: [
          video({ title: 'Skipped one', state: 'skipped', reason: 'min_duration_seconds' }),
          video({ title: 'Plain one', summary: 'What it says.' }),
          video({ title: 'Mentioned one', matches: [{ url: 'https://example.org/1', text: 'A bridge.' }] }),
        ],
        more: 2,
        stop,
      },
    })
    const places = [
      'Mentioned one',
      'A bridge.',
      'Plain one',
      'What it says.',
      'Skipped one',
      'Skipped: min duration seconds.',
    ]
    const found = places.map((place) => text.indexOf(place))
    expect(found).toEqual([...found].sort((a, b) => a - b))
    expect(found).not.toContain(-1)
    expect(text).toContain('2 more are not listed here.')
    for (const part of [text, html]) expect(part).toContain(`${ORIGIN}${stop}`)
  })
})

test('writes emails to files in which a long link is one piece, so that it can be copied', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mail-'))
  const link = `${ORIGIN}/auth/verify-email?token=${'a1B2'.repeat(12)}&from=${'c3D4'.repeat(12)}`
  try {
    const send = createMailer({
      smtpUrl: undefined,
      directory,
      from: 'Ö <a@example.org>',
      origin: ORIGIN,
      onFile: () => {},
    })
    await send(email({ kind: 'confirm_address', link }))
    await send(
      email({
        id: '0190a5b2-0000-7000-8000-000000000002',
        kind: 'key_created',
        data: { name: '日本', label: 'sk_abc…' },
      }),
    )
    const [linked = '', named = ''] = await Promise.all(
      (await readdir(directory)).sort().map((name) => readFile(join(directory, name), 'utf8')),
    )
    expect(linked.split(/\r?\n/)).toContain(link)
    expect(parseEmail(linked)).toMatchObject({ text: expect.stringContaining(link) })
    expect(parseEmail(named)).toMatchObject({ text: expect.stringContaining('日本') })
  } finally {
    await rm(directory, { recursive: true })
  }
})
