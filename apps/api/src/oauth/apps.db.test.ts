import { randomUUID } from 'node:crypto'
import { API_PREFIX } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { createOAuthTester, REDIRECT_URI } from '../testing/oauth.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi()
const oauth = createOAuthTester(api)
const use = (token: string) => supertest(api.app).get(`${API_PREFIX}/videos/`).set('Authorization', `Bearer ${token}`)
const refresh = (refresh_token: string, client_id: string) =>
  oauth.post('/auth/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id })

describe('connected applications', () => {
  const list = async ({ headers }: TestSession) =>
    (await supertest(api.app).get(`${API_PREFIX}/account/apps`).set(headers)).body.data.apps
  const disconnect = ({ headers }: TestSession, id: string) =>
    supertest(api.app).delete(`${API_PREFIX}/account/apps/${id}`).set(headers)

  test('are listed, and disconnected at once, their event streams too', async () => {
    const { access_token, refresh_token, clientId, session } = await oauth.signIn()
    expect((await use(access_token)).status).toBe(200)
    // The right to submit videos does not include the secret, which a person sees only shortly after signing in.
    const rotate = supertest(api.app)
      .post(`${API_PREFIX}/webhooks/secret/rotate`)
      .auth(access_token, { type: 'bearer' })
    expect(await rotate).toBeRefused(403, 'SESSION_REQUIRED')
    const [app] = await list(session)
    expect(app).toMatchObject({ name: 'Test client', client_id: clientId, scopes: ['read', 'write'] })
    expect(app.last_used_at).not.toBeNull()
    const submit = supertest(api.app).post(`${API_PREFIX}/videos/process`).auth(access_token, { type: 'bearer' })
    const { job_id } = (await submit.send({ url: 'https://youtu.be/dQw4w9WgXcQ' })).body.data
    const { port } = await api.serve()
    const events = await fetch(`http://127.0.0.1:${port}${API_PREFIX}/videos/events/${job_id}`, {
      headers: { Authorization: `Bearer ${access_token}` },
    })
    expect((await disconnect(session, app.id)).body.data).toEqual({ disconnected: true })
    // Otherwise the stream would not end before the job.
    await events.text()
    expect((await use(access_token)).status).toBe(401)
    expect((await refresh(refresh_token, clientId)).body.error).toBe('invalid_grant')
    expect(await list(session)).toEqual([])
  })

  test('of others cannot be seen or disconnected', async () => {
    const { session, access_token } = await oauth.signIn()
    const [app] = await list(session)
    const other = await createTestSession(api)
    expect(await list(other)).toEqual([])
    for (const id of [app.id, 'x', randomUUID()]) {
      expect(await disconnect(other, id)).toBeRefused(404, 'NOT_FOUND')
    }
    expect((await use(access_token)).status).toBe(200)
  })

  test('end with a revocation by the client, which other clients cannot send', async () => {
    const { access_token, clientId } = await oauth.signIn()
    const revoke = (client_id: string) => oauth.post('/auth/oauth/revoke', { token: access_token, client_id })
    expect((await revoke(randomUUID())).status).toBe(200)
    expect((await use(access_token)).status).toBe(200)
    expect((await revoke(clientId)).status).toBe(200)
    expect((await use(access_token)).status).toBe(401)
  })

  test('are revoked and deleted with the account', async () => {
    const { access_token, session } = await oauth.signIn()
    await supertest(api.app).delete(`${API_PREFIX}/account`).set(session.headers).send({ confirm: session.email })
    expect((await use(access_token)).status).toBe(401)
  })
})

describe('registration', () => {
  const register = (metadata: unknown) =>
    supertest(api.app)
      .post('/auth/oauth/register')
      .send(metadata as object)

  test('makes public clients, whatever they ask for', async () => {
    const { status, body } = await register({
      redirect_uris: ['https://app.example/cb', 'cursor://anysphere.cursor-mcp/oauth', 'com.example.app:/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
    })
    expect([status, body.token_endpoint_auth_method, body.client_secret]).toEqual([201, 'none', undefined])
  })

  test.each([
    'warp',
    'kiro',
    'vscodium',
    'trae',
    'void',
    'antigravity',
    'x-my-app',
    'app+beta',
    'lmstudio',
    'jetbrains',
  ])('accepts the scheme of an application: %s', async (scheme) => {
    const { status, body } = await register({ redirect_uris: [`${scheme}://oauth/callback`] })
    expect([status, body.redirect_uris]).toEqual([201, [`${scheme}://oauth/callback`]])
  })

  test('accepts a redirect address with half a character', async () => {
    const { status, body } = await register({ redirect_uris: ['https://app.example/\ud800'] })
    expect([status, body.redirect_uris]).toEqual([201, ['https://app.example/\ufffd']])
  })

  test.each([
    [[]],
    ['https://app.example'],
    [['http://app.example/cb']],
    [['javascript:alert(1)']],
    [['data:text/html,x']],
    [['https://user:pw@app.example/cb']],
    [['https://app.example/cb#x']],
    [['https://app.example\\@evil.example/']],
    [['file:///etc/passwd']],
    [['blob:https://app.example/x']],
    [['vbscript:x']],
    [['about:blank']],
    [['view-source:https://app.example/']],
    [['intent://app.example#Intent;end']],
    [['intent://app.example/']],
    [['ws://app.example/']],
    [['wss://app.example/']],
    [['ftp://app.example/']],
    [['JavaScript:alert(1)']],
    [['mailto:a@b.example']],
    [['//app.example/cb']],
    [['https://app.example/\u0000']],
    [['https://a;b/cb']],
    [['https://a,b/cb']],
    [['https://*/cb']],
    [[['http://127.0.0.1:7777/cb']]],
    [[{ toString: 1, valueOf: 1 }]],
    [[`https://app.example/${'a'.repeat(1_000)}`]],
    [Array.from({ length: 21 }, (_, at) => `https://app.example/${at}`)],
  ])('refuses the redirect addresses %j', async (redirect_uris) => {
    const { status, body } = await register({ redirect_uris })
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
  })

  test('refuses bodies that are not JSON objects of a reasonable size', async () => {
    const send = (body: string) =>
      supertest(api.app).post('/auth/oauth/register').set('Content-Type', 'application/json').send(body)
    for (const body of ['[]', 'null', '1', '{', '']) expect((await send(body)).status).toBe(400)
    expect((await send(`{"client_name":"${'x'.repeat(40_000)}"}`)).status).toBe(413)
    expect((await supertest(api.app).post('/auth/oauth/register').type('form').send('a=b')).status).toBe(415)
  })

  test('is limited for each network', async () => {
    await api.withEnv({ TRUST_PROXY_HOPS: '1' }, async (app) => {
      const from = async (address: string) =>
        (
          await supertest(app)
            .post('/auth/oauth/register')
            .set('X-Forwarded-For', address)
            .send({ redirect_uris: [REDIRECT_URI] })
        ).status
      const statuses: number[] = []
      for (let at = 0; at < 52; at++) statuses.push(await from(`2001:db8:7:7::${at.toString(16)}`))
      expect(statuses.filter((status) => status === 201)).toHaveLength(50)
      expect(statuses.at(-1)).toBe(429)
      expect(await from('2001:db8:7:8::1')).toBe(201)
    })
  })
})
