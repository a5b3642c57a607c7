import { createHash, randomUUID } from 'node:crypto'
import { TEST_PASSWORDS } from '@subtext/accounts/testing'
import { API_PREFIX } from '@subtext/contracts'
import { setPlan } from '@subtext/core/testing'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { createOAuthTester, MCP_URL, newPkce, REDIRECT_URI } from '../testing/oauth.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi()
const oauth = createOAuthTester(api)
const use = (token: string) => supertest(api.app).get(`${API_PREFIX}/videos/`).set('Authorization', `Bearer ${token}`)
const introspect = async (token: string) => (await oauth.post('/auth/oauth/introspect', { token })).body
async function createPersonWithPassword(): Promise<TestSession & { password: string }> {
  const session = await createTestSession(api)
  const password = 'correct horse battery'
  await api.context.db.query(
    `INSERT INTO identities (id, user_id, provider_id, account_id, password, created_at, updated_at)
     VALUES (gen_random_uuid(), $1::uuid, 'credential', $1::uuid::text, $2, now(), now())`,
    [session.userId, await TEST_PASSWORDS.hash(password)],
  )
  return { ...session, password }
}
const locationOf = ({ headers }: { headers: { location?: string } }) => new URL(headers.location ?? '')

describe('metadata', () => {
  test('describes the authorization server and the MCP server', async () => {
    const server = (await supertest(api.app).get('/.well-known/oauth-authorization-server')).body
    expect(server).toMatchObject({
      issuer: 'http://127.0.0.1:3000',
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
    for (const path of ['', '/mcp']) {
      const response = await supertest(api.app).get(`/.well-known/oauth-protected-resource${path}`)
      expect(response.body).toMatchObject({ resource: MCP_URL, authorization_servers: [server.issuer] })
      expect(response.headers['access-control-allow-origin']).toBe('*')
    }
  })

  test('is absent where nobody can sign in', async () => {
    await api.withEnv({ DASHBOARD_ENABLED: 'false' }, async (app) => {
      for (const path of ['/.well-known/oauth-authorization-server', '/auth/oauth/authorize']) {
        expect((await supertest(app).get(path)).status).toBe(404)
      }
      expect((await supertest(app).post('/auth/oauth/token').type('form').send({})).status).toBe(404)
    })
  })
})

describe('a person who has signed in more than ten minutes ago', () => {
  const start = async () => {
    const { password, ...session } = await createPersonWithPassword()
    await api.context.db.query(
      `UPDATE sessions SET authenticated_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [session.userId],
    )
    return { password, session, path: oauth.authorizePath(await oauth.register(), newPkce()) }
  }
  const decide = (session: TestSession, path: string, form: object, accept = 'text/html') =>
    supertest(api.app)
      .post(path)
      .redirects(0)
      .type('form')
      .set({ ...session.headers, Accept: accept })
      .send(form)

  test('is asked for the password before an application is connected', async () => {
    const { password, session, path } = await start()
    expect((await oauth.open(session, path)).text).toContain('name="password"')
    const without = await decide(session, path, { decision: 'allow' })
    expect([without.status, without.headers.location]).toEqual([403, undefined])
    expect(without.text).toContain('name="password"')
    expect(await decide(session, path, { decision: 'allow' }, '*/*')).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
    const wrong = await decide(session, path, { decision: 'allow', password: 'wrong password' })
    expect([wrong.status, wrong.text.includes('The password is wrong.')]).toEqual([403, true])
    const right = await decide(session, path, { decision: 'allow', password })
    expect([right.status, locationOf(right).searchParams.has('code')]).toEqual([303, true])
    // It counts as signing in.
    expect((await oauth.open(session, path)).text).not.toContain('name="password"')
  })

  test('may refuse without it, and cannot guess it here', async () => {
    const { password, session, path } = await start()
    const denied = await decide(session, path, { decision: 'deny' })
    expect(locationOf(denied).searchParams.get('error')).toBe('access_denied')
    for (let guesses = 0; guesses < 10; guesses++) {
      expect((await decide(session, path, { decision: 'allow', password: 'wrong password' })).status).toBe(403)
    }
    expect((await decide(session, path, { decision: 'allow', password })).status).toBe(429)
  })

  test('and has no password is asked to sign in again', async () => {
    const session = await createTestSession(api, { ageMs: 11 * 60_000 })
    const path = oauth.authorizePath(await oauth.register(), newPkce())
    const { text } = await oauth.open(session, path)
    expect(text).not.toContain('value="allow"')
    expect(text).toContain(`href="/sign-in?next=${encodeURIComponent('/auth/oauth/authorize?')}`)
    expect((await decide(session, path, { decision: 'allow' })).status).toBe(403)
  })
})

test('tokens are refused while the plan includes no keys, and work again when it does', async () => {
  const { access_token, session } = await oauth.signIn()
  await setPlan(api.context, session.email, 'free')
  expect(await use(access_token)).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
  await setPlan(api.context, session.email, 'plus')
  expect((await use(access_token)).status).toBe(200)
})

describe('connecting an application', () => {
  test('leads through sign-in and consent to tokens that work on the API', async () => {
    const session = await createTestSession(api)
    const [clientId, pkce] = [await oauth.register(), newPkce()]
    const path = oauth.authorizePath(clientId, pkce)
    const signedOut = await oauth.open(null, path)
    const next = new URL(signedOut.headers.location ?? '', 'http://127.0.0.1:3000')
    expect([signedOut.status, next.pathname]).toEqual([302, '/sign-in'])
    const page = await oauth.open(session, next.searchParams.get('next') ?? '')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Connect “Test client” to Subtext?')
    expect(page.text).toContain('a program on this computer')
    expect(page.text).toContain(session.email)
    const reply = locationOf(await oauth.decide(session, path))
    expect(reply.origin + reply.pathname).toBe(REDIRECT_URI)
    expect(reply.searchParams.get('state')).toBe('the state')
    expect(reply.searchParams.get('iss')).toBe('http://127.0.0.1:3000')
    const { status, body, headers } = await oauth.redeem(reply.searchParams.get('code') ?? '', clientId, pkce)
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read write' })
    expect((await use(body.access_token)).status).toBe(200)
    expect(await introspect(body.access_token)).toMatchObject({ active: true, aud: MCP_URL, client_id: clientId })
    const { rows } = await api.context.db.query('SELECT kind, data FROM emails WHERE recipient = $1', [session.email])
    expect(rows).toEqual([
      { kind: 'app_connected', data: { name: 'Test client', place: 'a program on this computer' } },
    ])
  })

  test('sends a person who declines back without a code', async () => {
    const session = await createTestSession(api)
    const path = oauth.authorizePath(await oauth.register(), newPkce())
    for (const decision of ['deny', '', 'ALLOW']) {
      const { searchParams } = locationOf(await oauth.decide(session, path, decision))
      expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null])
    }
  })

  test('gives tokens only the scopes that were agreed to', async () => {
    const { access_token, scope } = await oauth.signIn(undefined, { scope: 'read offline_access admin' })
    expect(scope).toBe('read')
    expect((await use(access_token)).status).toBe(200)
    const submit = supertest(api.app).post(`${API_PREFIX}/videos/process`).auth(access_token, { type: 'bearer' })
    expect(await submit.send({ url: 'https://youtu.be/dQw4w9WgXcQ' })).toBeRefused(403, 'INSUFFICIENT_SCOPE')
  })

  test('is refused to free accounts, whose plan includes no keys', async () => {
    const session = await createTestSession(api, { plan: 'free' })
    const path = oauth.authorizePath(await oauth.register(), newPkce())
    for (const response of [await oauth.open(session, path), await oauth.decide(session, path)]) {
      expect([response.status, response.headers.location]).toEqual([403, undefined])
    }
  })

  test('takes any port on the same computer, and no other difference', async () => {
    const session = await createTestSession(api)
    const clientId = await oauth.register()
    const open = async (redirect_uri: string) =>
      (await oauth.open(session, oauth.authorizePath(clientId, newPkce(), { redirect_uri }))).status
    expect(await open('http://127.0.0.1:9999/callback')).toBe(200)
    for (const other of [
      'http://localhost:7777/callback',
      'https://127.0.0.1:7777/callback',
      'http://127.0.0.1:7777/callback/',
      'http://127.0.0.1:7777/callback?a=1',
      'http://127.0.0.1:7777/callback#a',
      'http://127.0.0.1:7777@evil.example/callback',
      'http://evil.example/callback',
      'javascript:alert(1)',
    ]) {
      expect([other, await open(other)]).toEqual([other, 400])
    }
  })
})

describe('attacks on the page', () => {
  test('nobody is sent to an address that the client has not registered, whatever else is wrong', async () => {
    const session = await createTestSession(api)
    const clientId = await oauth.register()
    const changes: Record<string, string | null>[] = [
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: `${REDIRECT_URI}\u0000` },
      { redirect_uri: null },
      { client_id: randomUUID() },
      { client_id: null },
      { redirect_uri: 'https://evil.example/', response_type: 'token' },
      { redirect_uri: '//evil.example', code_challenge: null },
    ]
    for (const change of changes) {
      const path = oauth.authorizePath(clientId, newPkce(), change)
      for (const response of [await oauth.open(session, path), await oauth.decide(session, path)]) {
        expect([change, response.status, response.headers.location]).toEqual([change, 400, undefined])
      }
    }
    const twice = `${oauth.authorizePath(clientId, newPkce())}&redirect_uri=https%3A%2F%2Fevil.example`
    expect((await oauth.open(session, twice)).status).toBe(400)
  })

  test.each([
    [{ code_challenge: null }, 'invalid_request'],
    [{ code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ resource: `${MCP_URL}/other` }, 'invalid_target'],
  ])('refuses %j', async (change, error) => {
    const session = await createTestSession(api)
    const path = oauth.authorizePath(await oauth.register(), newPkce(), change)
    for (const response of [await oauth.open(session, path), await oauth.decide(session, path)]) {
      const { searchParams } = locationOf(response)
      expect([searchParams.get('error'), searchParams.get('state')]).toEqual([error, 'the state'])
      expect(searchParams.get('code')).toBeNull()
    }
  })

  test('agreeing takes a form of our own page and a session, not a key', async () => {
    const session = await createTestSession(api)
    const path = oauth.authorizePath(await oauth.register(), newPkce())
    for (const Origin of ['https://evil.example', 'null', null]) {
      expect((await oauth.decide(session, path, 'allow', { Origin })).status).toBe(403)
    }
    expect((await oauth.decide(session, path, 'allow', { Cookie: null })).status).toBe(401)
    const withKey = { Cookie: null, 'X-API-Key': await api.createKey() }
    expect((await oauth.decide(session, path, 'allow', withKey)).status).toBe(401)
    // Neither opening the page nor asking for its headers agrees to anything.
    await oauth.open(session, path)
    await supertest(api.app).head(path).set(session.headers)
    expect((await api.context.db.query('SELECT FROM oauth_codes WHERE user_id = $1', [session.userId])).rowCount).toBe(
      0,
    )
  })

  test('the page is in no frame, runs nothing but our own script, and shows hostile names as text', async () => {
    const session = await createTestSession(api)
    const name = '<script>alert(1)</script>\u202e"x'
    const clientId = await oauth.register({ client_name: name, redirect_uris: [REDIRECT_URI] })
    const { text, headers } = await oauth.open(session, oauth.authorizePath(clientId, newPkce()))
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('\u202e')
    expect(text.match(/<script/g)).toHaveLength(1)
    const script = /<script>(.*?)<\/script>/s.exec(text)?.[1] ?? ''
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self' http://127.0.0.1:7777")
    expect(headers['x-frame-options']).toBe('DENY')
  })
})
