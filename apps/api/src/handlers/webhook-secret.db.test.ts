import { listSigningSecrets } from '@subtext/core/webhooks'
import supertest, { type Response } from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'

const api = useTestApi({}, () => now ?? new Date())
let key: string
let now: Date | undefined

beforeEach(async () => {
  key = await api.createKey()
})
afterEach(() => {
  now = undefined
})

const get = (path: string): Promise<Response> => supertest(api.app).get(`/api/v1/webhooks${path}`).set('X-API-Key', key)
const post = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  supertest(api.app)
    .post(`/api/v1/webhooks${path}`)
    .set({ 'X-API-Key': key, ...headers })
const userOf = async (): Promise<string> => (await holderOf(api.context, key)).userId

describe('the webhook secret', () => {
  test('creates a secret for an account without one and shows only its prefix', async () => {
    const first = await get('/secret')
    expect(first.body.data).toEqual({
      prefix: expect.stringMatching(/^whsec_[\w+/]{4}$/),
      created_at: expect.any(String),
      previous: [],
    })
    expect((await get('/secret')).body.data).toEqual(first.body.data)
    expect(first.headers['cache-control']).toBe('no-store')
  })

  test('shows the whole secret after a rotation, with the time until which the former one still signs', async () => {
    now = new Date('2026-11-21T12:00:00.000Z')
    const first = await post('/secret/rotate')
    expect(first.body.data).toEqual({
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      prefix: first.body.data.secret.slice(0, 10),
      created_at: '2026-11-21T12:00:00.000Z',
      previous_expires_at: null,
    })
    now = new Date('2026-11-21T13:00:00.000Z')
    const second = await post('/secret/rotate')
    expect(second.body.data.previous_expires_at).toBe('2026-11-22T13:00:00.000Z')
    expect((await get('/secret')).body.data).toEqual({
      prefix: second.body.data.prefix,
      created_at: '2026-11-21T13:00:00.000Z',
      previous: [
        {
          prefix: first.body.data.prefix,
          created_at: '2026-11-21T12:00:00.000Z',
          expires_at: '2026-11-22T13:00:00.000Z',
        },
      ],
    })
    expect(await listSigningSecrets(api.context, await userOf())).toEqual([
      second.body.data.secret,
      first.body.data.secret,
    ])
    now = new Date('2026-11-22T13:00:00.000Z')
    expect((await get('/secret')).body.data.previous).toEqual([])
  })

  test('shows the same secret for a repeated rotation with the same idempotency key, without storing it unencrypted', async () => {
    const responses = [
      await post('/secret/rotate', { 'Idempotency-Key': 'rotate' }),
      await post('/secret/rotate', { 'Idempotency-Key': 'rotate' }),
    ]
    const [first, second] = responses.map(({ body }) => body.data)
    expect(second).toEqual(first)
    expect(responses.map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual([
      [200, undefined],
      [200, 'true'],
    ])
    expect(await listSigningSecrets(api.context, await userOf())).toEqual([first.secret])
    const { rows } = await api.context.db.query<{ text: string }>('SELECT t::text AS text FROM idempotency_keys t')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ text }) => text.includes(first.secret.slice(12)))).toEqual([])
  })

  test('refuses a rotation while twenty former secrets still sign', async () => {
    for (let nth = 0; nth < 21; nth++) expect((await post('/secret/rotate')).status).toBe(200)
    const refused = await post('/secret/rotate')
    expect(refused).toBeRefused(429, 'RATE_LIMITED')
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(86_000)
    expect(wait).toBeLessThanOrEqual(86_400)
  })

  test('shows and replaces secrets that a process with another key has encrypted', async () => {
    await post('/secret/rotate')
    const other = api.openBeside({ WEBHOOK_SECRET_KEY: 'ab'.repeat(32) })
    const shown = await supertest(other.app).get('/api/v1/webhooks/secret').set('X-API-Key', key)
    expect(shown.status).toBe(200)
    const rotated = await supertest(other.app).post('/api/v1/webhooks/secret/rotate').set('X-API-Key', key)
    expect(rotated.status).toBe(200)
    expect(await listSigningSecrets({ ...other.context, clock: () => new Date() }, await userOf())).toEqual([
      rotated.body.data.secret,
    ])
  })
})
