import { randomUUID } from 'node:crypto'
import { API_PREFIX } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { createOAuthTester, MCP_URL, newPkce } from '../testing/oauth.ts'
import { createTestSession } from '../testing/sessions.ts'

let now = new Date()
const api = useTestApi({}, () => now)
beforeEach(() => {
  now = new Date()
})
const oauth = createOAuthTester(api)
const pass = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1_000)
}

const use = (token: string) => supertest(api.app).get(`${API_PREFIX}/videos/`).set('Authorization', `Bearer ${token}`)
const refresh = (refresh_token: string, client_id: string, more: Record<string, string> = {}) =>
  oauth.post('/auth/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id, ...more })
const introspect = async (token: string) => (await oauth.post('/auth/oauth/introspect', { token })).body

describe('codes', () => {
  const start = async () => {
    const session = await createTestSession(api)
    const [clientId, pkce] = [await oauth.register(), newPkce()]
    return { session, clientId, pkce, code: await oauth.connect(session, clientId, pkce) }
  }

  test('work once, however many try at the same time; a second use revokes the tokens', async () => {
    const { clientId, pkce, code } = await start()
    const responses = await Promise.all(Array.from({ length: 6 }, () => oauth.redeem(code, clientId, pkce)))
    const issued = responses.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    expect(responses.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(5)
    expect((await use(issued[0]?.body.access_token)).status).toBe(401)
  })

  test('work for a minute', async () => {
    const { clientId, pkce, code } = await start()
    pass(61)
    expect((await oauth.redeem(code, clientId, pkce)).body.error).toBe('invalid_grant')
  })

  test.each([
    ['another verifier', { code_verifier: newPkce().verifier }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:7778/callback' }, 'invalid_grant'],
    ['another client', { client_id: randomUUID() }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('are refused with %s', async (_, changes, error) => {
    const { clientId, pkce, code } = await start()
    const { status, body } = await oauth.redeem(code, clientId, pkce, changes)
    expect([status, body.error, body.access_token]).toEqual([400, error, undefined])
  })

  test('of an account that was deleted meanwhile are refused', async () => {
    const { clientId, pkce, code, session } = await start()
    await supertest(api.app).delete(`${API_PREFIX}/account`).set(session.headers).send({ confirm: session.email })
    expect((await oauth.redeem(code, clientId, pkce)).body.error).toBe('invalid_grant')
  })

  test('and tokens are stored as hashes only', async () => {
    const { access_token, refresh_token, clientId } = await oauth.signIn()
    const next = (await refresh(refresh_token, clientId)).body
    const { rows } = await api.context.db.query<{ text: string }>(
      `SELECT string_agg(t::text, ' ') AS text FROM (SELECT oauth_tokens::text AS t FROM oauth_tokens UNION ALL
       SELECT oauth_codes::text FROM oauth_codes) AS all_rows`,
    )
    for (const secret of [access_token, refresh_token, next.access_token, next.refresh_token]) {
      expect(rows[0]?.text).not.toContain(secret)
      expect(rows[0]?.text).not.toContain(secret.slice(3))
    }
  })
})

describe('refresh tokens', () => {
  test('are replaced at each use', async () => {
    const { refresh_token, clientId } = await oauth.signIn()
    pass(3_601)
    const second = (await refresh(refresh_token, clientId, { resource: MCP_URL })).body
    expect((await use(second.access_token)).status).toBe(200)
    expect(second.refresh_token).not.toBe(refresh_token)
    const third = (await refresh(second.refresh_token, clientId)).body
    expect((await use(third.access_token)).status).toBe(200)
  })

  test('that were just replaced give the same successor, for windows that refresh at once and for lost answers', async () => {
    const { refresh_token, clientId } = await oauth.signIn()
    const responses = await Promise.all(Array.from({ length: 6 }, () => refresh(refresh_token, clientId)))
    pass(59)
    const late = await refresh(refresh_token, clientId)
    const [first, ...others] = [...responses, late].map(({ body }) => body)
    for (const other of others) expect(other).toEqual(first)
    expect((await use(first.access_token)).status).toBe(200)
    expect((await refresh(first.refresh_token, clientId)).status).toBe(200)
  })

  test.each([
    ['after a minute', async () => pass(61)],
    [
      'after the successor was used',
      async (successor: string, clientId: string) => void (await refresh(successor, clientId)),
    ],
  ])('that are used again %s end the connection for the thief and the owner', async (_, wait) => {
    const { refresh_token, clientId, session } = await oauth.signIn()
    const stolen = (await refresh(refresh_token, clientId)).body
    expect((await use(stolen.access_token)).status).toBe(200)
    await wait(stolen.refresh_token, clientId)
    expect((await refresh(refresh_token, clientId)).body.error).toBe('invalid_grant')
    expect((await use(stolen.access_token)).status).toBe(401)
    expect((await refresh(stolen.refresh_token, clientId)).body.error).toBe('invalid_grant')
    const { body } = await supertest(api.app).get(`${API_PREFIX}/account/apps`).set(session.headers)
    expect(body.data.apps).toEqual([])
  })

  test('that were just replaced give fewer rights if asked to, and never another refresh token', async () => {
    const { refresh_token, clientId } = await oauth.signIn()
    const all = (await refresh(refresh_token, clientId)).body
    const reading = (await refresh(refresh_token, clientId, { scope: 'read' })).body
    expect(reading).toMatchObject({ scope: 'read', refresh_token: all.refresh_token })
    expect(reading.access_token).not.toBe(all.access_token)
  })

  test('work for their client only, for what was agreed to, and for 30 days', async () => {
    const { refresh_token, clientId } = await oauth.signIn(undefined, { scope: 'read' })
    expect((await refresh(refresh_token, randomUUID())).body.error).toBe('invalid_grant')
    expect((await refresh(refresh_token, clientId, { resource: 'https://other.example' })).body.error).toBe(
      'invalid_target',
    )
    expect((await refresh(refresh_token, clientId, { scope: 'read write' })).body.error).toBe('invalid_scope')
    pass(30 * 86_400 + 1)
    expect((await refresh(refresh_token, clientId)).body.error).toBe('invalid_grant')
  })

  test('are not access tokens, nor the other way round', async () => {
    const { refresh_token, access_token, clientId } = await oauth.signIn()
    expect((await use(refresh_token)).status).toBe(401)
    expect(await introspect(refresh_token)).toEqual({ active: false })
    expect((await refresh(access_token, clientId)).body.error).toBe('invalid_grant')
  })
})

describe('introspection', () => {
  test('knows API keys, and counts nothing, because all clients of the MCP server share its address', async () => {
    const key = await api.createKey()
    await api.withEnv({ RATE_LIMIT_ADDRESS: '1', DASHBOARD_ENABLED: 'false' }, async (app) => {
      const ask = async (token: string) =>
        (await supertest(app).post('/auth/oauth/introspect').type('form').send({ token })).body
      expect(await ask(key)).toEqual({ active: true, scope: 'read write', token_type: 'Bearer' })
      for (const token of [`sk_${'0'.repeat(64)}`, `at_${'0'.repeat(64)}`, 'x', `sk_${'1'.repeat(64)}`]) {
        expect(await ask(token)).toEqual({ active: false })
      }
    })
  })
})

test('introspection is refused to a public address after 36,000 requests in an hour, and to no private one', async () => {
  const { requestLimits } = api.context
  const key = await api.createKey()
  await api.withEnv({ TRUST_PROXY_HOPS: '1' }, async (app) => {
    const ask = (address: string) =>
      supertest(app).post('/auth/oauth/introspect').type('form').set('X-Forwarded-For', address).send({ token: key })
    const addresses = ['8.8.4.4', '10.0.0.7']
    for (const address of addresses) {
      expect((await ask(address)).body).toMatchObject({ active: true })
      const counted = Array.from({ length: 36_000 }, () => requestLimits.count(`introspection:${address}`, 36_000))
      await Promise.all(counted)
    }
    const [refused, answered] = [await ask('8.8.4.4'), await ask('10.0.0.7')]
    expect([refused.status, refused.body.error, answered.status]).toEqual([429, 'invalid_request', 200])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    expect((await ask('8.8.8.8')).status).toBe(200)
  })
})

describe('access tokens', () => {
  test('work for an hour', async () => {
    const { access_token } = await oauth.signIn()
    pass(3_599)
    expect((await use(access_token)).status).toBe(200)
    pass(2)
    expect((await use(access_token)).status).toBe(401)
    expect(await introspect(access_token)).toEqual({ active: false })
  })

  test('are accepted in `Authorization` alone, and never where a session is needed', async () => {
    const { access_token, session } = await oauth.signIn()
    const list = () => supertest(api.app).get(`${API_PREFIX}/videos/`)
    expect((await list().set('X-API-Key', access_token)).status).toBe(401)
    expect((await list().query({ access_token })).status).toBe(401)
    for (const path of ['/account', '/account/keys', '/account/export']) {
      const request = supertest(api.app).get(`${API_PREFIX}${path}`).auth(access_token, { type: 'bearer' })
      expect(await request).toBeRefused(403, 'SESSION_REQUIRED')
    }
    const beside = supertest(api.app).post(`${API_PREFIX}/account/keys`).set(session.headers)
    expect(await beside.auth(access_token, { type: 'bearer' }).send({ name: 'x' })).toBeRefused(403, 'SESSION_REQUIRED')
  })

  test('share the request limit of their person, and are told apart from made-up ones by nothing', async () => {
    const { access_token, session } = await oauth.signIn()
    const used = async (response: PromiseLike<{ headers: Record<string, string> }>) =>
      Number((await response).headers['x-ratelimit-used'])
    const first = await used(use(access_token))
    expect(await used(supertest(api.app).get(`${API_PREFIX}/videos/`).set(session.headers))).toBe(first + 1)
    const madeUp = await use(`at_${'0'.repeat(64)}`)
    pass(3_601)
    const expired = await use(access_token)
    expect(madeUp.body.error).toEqual(expired.body.error)
  })

  test('for a server that has moved are refused: their audience is another', async () => {
    const { access_token } = await oauth.signIn()
    await api.withEnv({ MCP_PUBLIC_URL: 'https://mcp.example.org/mcp' }, async (app) => {
      const request = supertest(app).get(`${API_PREFIX}/videos/`).auth(access_token, { type: 'bearer' })
      expect(await request).toBeRefused(401, 'UNAUTHORIZED')
      const response = await supertest(app).post('/auth/oauth/introspect').type('form').send({ token: access_token })
      expect(response.body).toEqual({ active: false })
    })
  })
})
