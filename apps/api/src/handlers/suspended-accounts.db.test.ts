import { API_PREFIX } from '@subtext/contracts'
import { hashApiKey } from '@subtext/core/api-keys'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, addTestInfographic, completeTestJob, VIDEO_URL } from '../testing/jobs.ts'
import { createOAuthTester } from '../testing/oauth.ts'
import { createOperatorTester } from '../testing/operators.ts'

const api = useTestApi()
const oauth = createOAuthTester(api)
const { send, openOperator, createAccount, withKey, readActions } = createOperatorTester(api)

describe('a suspended account', () => {
  test('gets in by no key, session, application, or link, until it is restored', async () => {
    const operator = await openOperator()
    const { owner, key, path } = await createAccount()
    const options = { summary_modes: ['tldr' as const], max_transcript_length: 1_000, include_comments: false }
    const jobId = await acceptTestJob(api.context, key, { options: { ...options, generate_infographic: true } })
    await completeTestJob(api.context, jobId)
    await addTestInfographic(api.context, jobId, true)
    const result = await withKey(key, `/videos/result/${jobId}`)
    const { pathname, search } = new URL(result.body.data.infographic_url)
    const tokens = await oauth.signIn(owner)
    const withToken = () =>
      supertest(api.app).get(`${API_PREFIX}/usage/current`).set('Authorization', `Bearer ${tokens.access_token}`)
    const refresh = () =>
      oauth.post('/auth/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        client_id: tokens.clientId,
      })
    const withLink = () => supertest(api.app).get(`${pathname}${search}`)
    expect([(await withToken()).status, (await withLink()).status]).toEqual([200, 200])

    const suspended = await send(operator, 'post', `${path}/suspend`, { reason: ' Unpaid. ' })
    expect(suspended.body.data).toMatchObject({
      suspended_for: 'Unpaid.',
      suspended_at: expect.any(String),
      sessions: 0,
    })
    expect(await supertest(api.app).get(`${API_PREFIX}/account`).set(owner.headers)).toBeRefused(401, 'UNAUTHORIZED')
    expect(await withToken()).toBeRefused(401, 'UNAUTHORIZED')
    expect((await refresh()).body.error).toBe('invalid_grant')
    expect(await withLink()).toBeRefused(401, 'UNAUTHORIZED')
    await waitUntil('the key is refused', async () => (await withKey(key)).status === 401)
    expect((await withKey(key)).body.error.message).toMatch(/suspended/)
    // Keys of nobody are told nothing.
    expect((await withKey(`sk_${'0'.repeat(64)}`)).body.error.message).not.toMatch(/suspended/)

    const restored = await send(operator, 'post', `${path}/restore`)
    expect(restored.body.data).toMatchObject({ suspended_at: null, suspended_for: null })
    await waitUntil('the key works', async () => (await withKey(key)).status === 200)
    expect((await withToken()).status).toBe(200)
    expect((await refresh()).status).toBe(200)
    expect((await withLink()).status).toBe(200)
    expect(await supertest(api.app).get(`${API_PREFIX}/account`).set(owner.headers)).toBeRefused(401, 'UNAUTHORIZED')
    expect(await readActions(operator, owner.userId)).toMatchObject([
      { action: 'restore_account' },
      { action: 'suspend_account', details: { reason: 'Unpaid.' } },
    ])
  })

  test('has no job accepted by a request that was admitted before, and no stored reply repeated', async () => {
    const operator = await openOperator()
    const { key, path } = await createAccount()
    const headers = { 'X-API-Key': key, 'Idempotency-Key': 'once' }
    const submit = (extra: object = {}) =>
      supertest(api.app)
        .post(`${API_PREFIX}/videos/process`)
        .set(headers)
        .send({ url: VIDEO_URL, ...extra })
    const first = await submit()
    expect(first.status).toBe(202)
    const finished = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, finished)
    await send(operator, 'post', `${path}/suspend`, {})
    const { rows } = await api.context.db.query<{ id: string; userId: string }>(
      'SELECT id, user_id AS "userId" FROM api_keys WHERE hash = $1',
      [hashApiKey(key)],
    )
    const [{ id: apiKeyId, userId } = { id: '', userId: '' }] = rows
    // A process may still have the key in its cache.
    const admitted = {
      ...api.context,
      verifyKey: async () => ({ apiKeyId, userId, plan: 'pro' as const, scopes: ['write' as const] }),
    }
    const post = (to: string, body: object) =>
      supertest(createApp(admitted)).post(`${API_PREFIX}${to}`).set('X-API-Key', key).send(body)
    for (const refused of [
      await post('/videos/process', { url: VIDEO_URL }),
      await post('/batch/process', { videos: [{ url: VIDEO_URL }] }),
      await post(`/videos/derive/${finished}`, { summary_modes: ['detailed'] }),
    ]) {
      expect(refused).toBeRefused(401, 'UNAUTHORIZED')
      expect(refused.body.error.message).toMatch(/suspended/)
    }
    await waitUntil('the key is refused', async () => (await withKey(key)).status === 401)
    const replayed = await submit()
    expect(replayed).toBeRefused(401, 'UNAUTHORIZED')
    expect(replayed.headers['idempotent-replayed']).toBeUndefined()
  })

  test('loses the streams that are open', async () => {
    const operator = await openOperator()
    const { key, path } = await createAccount()
    const jobId = await acceptTestJob(api.context, key)
    const { port } = await api.serve()
    const response = await fetch(`http://127.0.0.1:${port}${API_PREFIX}/videos/events/${jobId}`, {
      headers: { 'X-API-Key': key },
    })
    expect(response.status).toBe(200)
    await send(operator, 'post', `${path}/suspend`, {})
    // Ends at the latest when the connection is cut.
    await response.text().catch(() => '')
  })

  test('cannot be that of the operator', async () => {
    const operator = await openOperator()
    const path = `/accounts/${operator.userId}`
    expect(await send(operator, 'post', `${path}/suspend`, {})).toBeRefused(400, 'VALIDATION_ERROR')
    expect(await send(operator, 'delete', path, { confirm: operator.email })).toBeRefused(400, 'VALIDATION_ERROR')
  })
})
