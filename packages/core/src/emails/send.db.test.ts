import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { keyRing } from '@subtext/runtime'
import { TEST_SECRET_KEY } from '../testing/index.ts'
import { createSecretBox } from '../webhooks/secret-box.ts'
import { queueLink, queueNotice } from './queue.ts'
import {
  createEmailSender,
  type EmailOutcome,
  type EmailSender,
  type OutgoingEmail,
  UndeliverableError,
} from './send.ts'

const { db } = useTestDatabase({ maxConnections: 8, per: 'test' })
const secretBox = createSecretBox(keyRing.parse(TEST_SECRET_KEY))
const log = { info() {}, warn() {}, error() {} }

let now: Date
let senders: EmailSender[]
let outcomes: EmailOutcome[]
beforeEach(() => {
  now = new Date()
  senders = []
  outcomes = []
})
afterEach(() => Promise.all(senders.map((sender) => sender.close())))

function start(deliver: (email: OutgoingEmail) => Promise<void>, box = secretBox): EmailSender {
  const onAttempt = (outcome: EmailOutcome): void => void outcomes.push(outcome)
  const sender = createEmailSender({ db, log, clock: () => now }, { deliver, secretBox: box, onAttempt, pollMs: 20 })
  senders.push(sender)
  return sender
}

const queue = (recipient: string, dedupeKey?: string): Promise<void> =>
  queueNotice(db, now, {
    userId: null,
    recipient,
    kind: 'password_changed' as const,
    data: {},
    ...(dedupeKey !== undefined && { dedupeKey }),
  })

interface StoredEmail {
  recipient: string
  attempts: number
  ended: boolean
  error: string | null
  hasLink: boolean
}

const stored = async (): Promise<StoredEmail[]> =>
  (
    await db.query<StoredEmail>(
      `SELECT recipient, attempts, ended_at IS NOT NULL AS ended, error, sealed IS NOT NULL AS "hasLink"
       FROM emails ORDER BY recipient`,
    )
  ).rows
const allEnded = async (): Promise<boolean> => (await stored()).every(({ ended }) => ended)

test('sends each email once, however many processes send', async () => {
  const recipients = Array.from({ length: 40 }, (_, at) => `person${100 + at}@example.org`)
  await Promise.all(recipients.map((recipient) => queue(recipient)))
  const sent: string[] = []
  for (let process = 0; process < 4; process++) start(async ({ recipient }) => void sent.push(recipient))
  await waitUntil('all emails to be sent', allEnded)
  expect(sent.sort()).toEqual(recipients)
})

test('keeps one email per occasion, even after it was sent', async () => {
  await Promise.all([queue('a@example.org', 'reason'), queue('a@example.org', 'reason')])
  const sent: string[] = []
  start(async ({ recipient }) => void sent.push(recipient))
  await waitUntil('the email to be sent', allEnded)
  await queue('a@example.org', 'reason')
  expect([sent, (await stored()).length]).toEqual([['a@example.org'], 1])
})

test('sends an email whose process died while sending it, with the same ID', async () => {
  await queue('a@example.org')
  const ids: string[] = []
  // The server has accepted the email, but nobody learns of it.
  const dying = start(
    ({ id }) =>
      new Promise(() => {
        ids.push(id)
      }),
  )
  await waitUntil('the first process to have it', () => ids.length === 1)
  senders = senders.filter((sender) => sender !== dying)
  start(async ({ id }) => void ids.push(id))
  await queue('b@example.org')
  await waitUntil('the other email to be sent', async () => (await stored())[1]?.ended)
  expect([ids.length, (await stored())[0]?.ended]).toEqual([2, false])
  now = new Date(now.getTime() + 121_000)
  await waitUntil('the first email to be sent', allEnded)
  expect([ids.length, ids[2]]).toEqual([3, ids[0]])
})

test('retries while the mail server is unavailable, with growing pauses', async () => {
  await queue('a@example.org')
  let attempts = 0
  let isAway = true
  start(async () => {
    attempts++
    if (isAway) throw new Error('connect ECONNREFUSED')
  })
  for (const [at, pause] of [5, 30, 120, 600].entries()) {
    await waitUntil(`attempt ${at + 1}`, async () => {
      const { rows } = await db.query('SELECT FROM emails WHERE attempts = $1 AND lease_token IS NULL', [at + 1])
      return rows.length === 1
    })
    const { rows } = await db.query<{ next: Date }>('SELECT next_attempt_at AS next FROM emails')
    expect((rows[0]?.next.getTime() ?? 0) - now.getTime()).toBe(pause * 1_000)
    now = new Date(now.getTime() + pause * 1_000)
    if (at === 2) isAway = false
    if (at === 2) break
  }
  await waitUntil('the email to be sent', allEnded)
  expect([attempts, await stored()]).toMatchObject([4, [{ attempts: 4, error: null }]])
  expect(outcomes).toEqual(['postponed', 'postponed', 'postponed', 'sent'])
})

test('gives up emails that are refused for good, and those that have expired', async () => {
  await queue('gone@example.org')
  await queueLink(db, secretBox, now, {
    userId: null,
    recipient: 'late@example.org',
    kind: 'sign_in_link' as const,
    link: 'https://example.org/late',
    expiresAt: new Date(now.getTime() - 1),
  })
  const tried: string[] = []
  start(async ({ recipient }) => {
    tried.push(recipient)
    throw new UndeliverableError('550 no such user')
  })
  await waitUntil('both to be given up', allEnded)
  expect(tried).toEqual(['gone@example.org'])
  expect((await stored()).map(({ error }) => error)).toEqual(['550 no such user', 'expired'])
  expect(outcomes.sort()).toEqual(['expired', 'refused'])
})

test('leaves a link that it cannot decrypt to a process that has the key', async () => {
  const newer = createSecretBox([{ id: 'new', key: Buffer.alloc(32, 9) }])
  const email = { userId: null, recipient: 'a@example.org', kind: 'sign_in_link' as const }
  const link = 'https://service.example/auth/magic-link/verify?token=secret'
  await queueLink(db, newer, now, { ...email, link, expiresAt: new Date(now.getTime() + 900_000) })
  const links: unknown[] = []
  const old = start(async ({ link }) => void links.push(link))
  await waitUntil('it was tried', async () => (await stored())[0]?.attempts === 1)
  await old.close()
  expect([links, await allEnded()]).toEqual([[], false])
  now = new Date(now.getTime() + 5_000)
  start(async ({ link }) => void links.push(link), newer)
  await waitUntil('the email to be sent', allEnded)
  expect([links, outcomes]).toEqual([[link], ['postponed', 'sent']])
})

test('stores a link encrypted, and only until it is sent', async () => {
  const link = `https://example.org/${randomUUID()}`
  const expiresAt = new Date(now.getTime() + 60_000)
  await queueLink(db, secretBox, now, {
    userId: null,
    recipient: 'a@example.org',
    kind: 'sign_in_link',
    link,
    expiresAt,
  })
  const { rows } = await db.query<{ text: string }>('SELECT emails::text AS text FROM emails')
  expect(rows[0]?.text).not.toContain(Buffer.from(link).toString('hex'))
  expect(await stored()).toMatchObject([{ hasLink: true }])
  const links: unknown[] = []
  start(async (email) => void links.push(email.link))
  await waitUntil('the link to be sent', allEnded)
  expect([links, await stored()]).toMatchObject([[link], [{ hasLink: false }]])
})
