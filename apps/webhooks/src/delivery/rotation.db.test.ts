import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createSecretBox, listSigningSecrets, rotateWebhookSecret } from '@subtext/core/webhooks'
import { useTestDatabase } from '@subtext/db/testing'
import { Webhook } from 'standardwebhooks'
import { buildHeaders } from './build-request.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const EMAIL = 'owner@example.org'
const realNow = Date.now
const BODY = Buffer.from('{"text":"\u00e9 \u2028"}')

const { db } = useTestDatabase({ maxConnections: 4 })
let userId: string
let now = Date.parse('2026-11-21T12:00:00.000Z')

beforeAll(async () => {
  userId = randomUUID()
  await db.prisma.user.create({ data: { id: userId, email: EMAIL, plan: 'pro' } })
  // The library refuses timestamps that are not current.
  Date.now = () => now
})
afterAll(() => {
  Date.now = realNow
})

const log = { info: () => {}, warn: () => {}, error: () => {} }
const secretBox = createSecretBox([{ id: 'k1', key: randomBytes(32) }])
const ctx = () => ({ db, log, secretBox, clock: () => new Date(now) })
const rotate = async (): Promise<string> => (await rotateWebhookSecret(ctx(), EMAIL)) ?? ''

/** Returns the headers of an attempt at the current time. */
async function attempt(): Promise<Record<string, string>> {
  const delivery = { eventId: randomUUID(), type: 'job.completed' as const, attemptNo: 1, body: BODY }
  return buildHeaders(delivery, await listSigningSecrets(ctx(), userId), new Date(now))
}
const verifies = (secret: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(secret).verify(BODY.toString(), headers)
    return true
  } catch {
    return false
  }
}
const plainSignature = (secret: string): string => `sha256=${createHmac('sha256', secret).update(BODY).digest('hex')}`

test('every attempt is signed with all valid secrets, and X-Webhook-Signature with the newest', async () => {
  const start = now
  const made: { secret: string; endsAt: number }[] = [{ secret: await rotate(), endsAt: Number.POSITIVE_INFINITY }]
  // One secret alone, two in the overlap, and a third before the first has ended.
  const rotations = [5 * HOUR, 20 * HOUR]
  const moments = Array.from({ length: 60 * 4 }, (_, quarter) => quarter * 15 * MINUTE)
  const edges = rotations.flatMap((at) => [at - 1, at, at + 1, at + 24 * HOUR - 1, at + 24 * HOUR, at + 24 * HOUR + 1])
  let accepted = 0
  let refused = 0
  for (const moment of [...new Set([...moments, ...edges])].sort((one, other) => one - other)) {
    now = start + moment
    if (rotations.includes(moment)) {
      const former = made.at(-1)
      if (former) former.endsAt = now + 24 * HOUR
      made.push({ secret: await rotate(), endsAt: Number.POSITIVE_INFINITY })
    }
    const headers = await attempt()
    for (const { secret, endsAt } of made) {
      const expected = now < endsAt
      expect([moment, verifies(secret, headers)]).toEqual([moment, expected])
      if (expected) accepted++
      else refused++
    }
    expect(headers['X-Webhook-Signature']).toBe(plainSignature(made.at(-1)?.secret ?? ''))
  }
  // Both outcomes occurred.
  expect(accepted).toBeGreaterThan(400)
  expect(refused).toBeGreaterThan(50)
})

test('attempts during a rotation are accepted with the secrets from before and after it', async () => {
  let former = await rotate()
  for (let round = 0; round < 4; round++) {
    now += 25 * HOUR
    let [rotated, seen]: [string | null, number] = [null, 0]
    const attempts = async (): Promise<void> => {
      while (seen < 40) {
        const known = rotated
        const headers = await attempt()
        seen++
        expect(verifies(former, headers)).toBe(true)
        if (known !== null) expect(verifies(known, headers)).toBe(true)
      }
    }
    const rotation = attempt().then(async () => {
      rotated = await rotate()
    })
    await Promise.all([attempts(), attempts(), rotation])
    former = rotated ?? ''
  }
})
