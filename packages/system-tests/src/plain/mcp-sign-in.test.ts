import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as OldUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { waitUntil } from '@subtext/embedded/testing'
import { TEST_AUTH_SECRET, type TestSystem } from '@subtext/testbed'
import { useMcp } from '../start-mcp.ts'
import { usePlainSystem } from './use-plain-system.ts'

const REDIRECT_URL = 'http://127.0.0.1:7777/callback'

/** Keeps what the client library is given, as an application does. */
function createProvider() {
  const kept: {
    client?: never
    tokens?: { access_token: string; refresh_token?: string }
    verifier?: string
    url?: URL
  } = {}
  const provider = {
    redirectUrl: REDIRECT_URL,
    clientMetadata: { client_name: 'Chat application', redirect_uris: [REDIRECT_URL] },
    state: () => 'state of the client',
    clientInformation: () => kept.client,
    saveClientInformation(client: never) {
      kept.client = client
    },
    tokens: () => kept.tokens as never,
    saveTokens(tokens: never) {
      kept.tokens = tokens
    },
    redirectToAuthorization(url: URL) {
      kept.url = url
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  } satisfies OAuthClientProvider
  return { kept, provider }
}

/** Returns the cookie of a person on the Pro plan who has signed in. */
async function signIn(system: TestSystem): Promise<string> {
  const [userId, token] = [randomUUID(), randomBytes(24).toString('base64url')]
  await system.rows("INSERT INTO users (id, email, plan, email_verified) VALUES ($1, $2, 'pro', true)", [
    userId,
    `${userId}@example.org`,
  ])
  await system.rows(
    `INSERT INTO sessions (id, user_id, token, expires_at, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $2, now() + interval '7 days', now(), now())`,
    [userId, token],
  )
  const signature = createHmac('sha256', TEST_AUTH_SECRET).update(token).digest('base64')
  return `subtext.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

/** Agrees on the page to which an application has sent the person. Returns the parameters with which they come back. */
async function agree({ baseUrl }: TestSystem, url: URL | undefined, cookie: string): Promise<URLSearchParams> {
  const page = await fetch(url ?? '', { headers: { Cookie: cookie } })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Chat application')])
  const agreed = await fetch(url ?? '', {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, Origin: baseUrl },
    body: new URLSearchParams({ decision: 'allow' }),
  })
  const back = new URL(agreed.headers.get('location') ?? '')
  expect(back.href.split('?')[0]).toBe(REDIRECT_URL)
  return back.searchParams
}

function connect(system: TestSystem, provider: OAuthClientProvider) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(system.mcpUrl), { authProvider: provider })
  return { client, transport, connected: client.connect(transport) }
}

/** Disconnects the only application of a person. */
async function disconnect({ baseUrl }: TestSystem, cookie: string): Promise<void> {
  const headers = { Cookie: cookie, Origin: baseUrl }
  const apps = `${baseUrl}/api/v1/account/apps`
  const { data } = (await (await fetch(apps, { headers })).json()) as { data: { apps: { id: string }[] } }
  expect(data.apps).toMatchObject([{ name: 'Chat application' }])
  await fetch(`${apps}/${data.apps[0]?.id}`, { method: 'DELETE', headers })
}

const system = usePlainSystem()
useMcp(system)

test('an MCP client without a key registers, signs its user in, calls a tool, and refreshes its token', async () => {
  const { kept, provider } = createProvider()
  const first = connect(system, provider)
  await expect(first.connected).rejects.toBeInstanceOf(UnauthorizedError)
  expect(kept.url?.searchParams.get('resource')).toBe(system.mcpUrl)
  const cookie = await signIn(system)
  const back = await agree(system, kept.url, cookie)
  expect(back.get('state')).toBe('state of the client')
  await first.transport.finishAuth(back)
  const { client, connected } = connect(system, provider)
  await connected
  const ask = async () =>
    JSON.stringify(await client.callTool({ name: 'get_video_job_status', arguments: { job_id: randomUUID() } }))
  // The API knows the token, but no such job.
  expect(await ask()).toContain('NOT_FOUND')

  const former = kept.tokens?.access_token
  await system.rows("UPDATE oauth_tokens SET expires_at = now() - interval '1 s' WHERE kind = 'access'")
  await waitUntil('the client to refresh its token', async () => {
    await ask()
    return kept.tokens?.access_token !== former
  })
  expect(await ask()).toContain('NOT_FOUND')

  await disconnect(system, cookie)
  const headers = { Authorization: `Bearer ${kept.tokens?.access_token}`, 'Content-Type': 'application/json' }
  const post = () => fetch(system.mcpUrl, { method: 'POST', headers, body: '{}' })
  await waitUntil('the token to be refused', async () => (await post()).status === 401)
  expect((await post()).headers.get('www-authenticate')).toMatch(
    /^Bearer error="invalid_token", resource_metadata="http/,
  )
})

test('the older MCP client library signs in as well', async () => {
  const { kept, provider } = createProvider()
  const open = () => new OldTransport(new URL(system.mcpUrl), { authProvider: provider })
  const transport = open()
  const refused = new OldClient({ name: 'test', version: '1.0.0' }).connect(transport)
  await expect(refused).rejects.toBeInstanceOf(OldUnauthorizedError)
  const back = await agree(system, kept.url, await signIn(system))
  await transport.finishAuth(back.get('code') ?? '')
  const client = new OldClient({ name: 'test', version: '1.0.0' })
  await client.connect(open())
  expect((await client.listTools()).tools.length).toBeGreaterThan(0)
})
