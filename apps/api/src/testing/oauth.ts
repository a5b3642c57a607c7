import { createHash, randomBytes } from 'node:crypto'
import { TEST_ORIGIN } from '@subtext/accounts/testing'
import type { Express } from 'express'
import supertest, { type Response } from 'supertest'
import type { TestApi } from './api.ts'
import { openBrowser } from './browser.ts'
import { createTestSession, type TestSession } from './sessions.ts'

/** The default address of the MCP server. */
export const MCP_URL = 'http://127.0.0.1:3001/mcp'
export const REDIRECT_URI = 'http://127.0.0.1:7777/callback'

export interface Pkce {
  verifier: string
  challenge: string
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export interface TestTokens {
  access_token: string
  refresh_token: string
  scope: string
  expires_in: number
}

export interface OAuthTester {
  /** Registers a client. Returns its ID. */
  register(metadata?: object): Promise<string>
  /** Returns the path at which a person is asked, with these parameters in place of the usual ones; null leaves one out. */
  authorizePath(clientId: string, pkce: Pkce, changes?: Record<string, string | null>): string
  /** Opens the page as a person. */
  open(session: TestSession | null, path: string): Promise<Response>
  /** Presses a button of the page. */
  decide(
    session: TestSession,
    path: string,
    decision?: string,
    headers?: Record<string, string | null>,
  ): Promise<Response>
  post(path: string, form: Record<string, string>): Promise<Response>
  /** Has a person connect a client. Returns the code. */
  connect(session: TestSession, clientId: string, pkce: Pkce, changes?: Record<string, string | null>): Promise<string>
  redeem(code: string, clientId: string, pkce: Pkce, changes?: Record<string, string>): Promise<Response>
  /** Does all of it. */
  signIn(
    session?: TestSession,
    changes?: Record<string, string | null>,
  ): Promise<TestTokens & { clientId: string; session: TestSession }>
}

/** Returns what an OAuth client and its user do. */
export function createOAuthTester(api: TestApi, app: () => Express = () => api.app): OAuthTester {
  const browse = () => openBrowser(app())
  const headersOf = (session: TestSession | null): Record<string, string> =>
    session ? { Cookie: session.headers.Cookie } : {}
  const tester: OAuthTester = {
    async register(metadata = { client_name: 'Test client', redirect_uris: [REDIRECT_URI] }) {
      const response = await supertest(app()).post('/auth/oauth/register').send(metadata)
      return response.body.client_id
    },
    authorizePath(clientId, { challenge }, changes = {}) {
      const query = new URLSearchParams()
      const all = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 'the state',
        resource: MCP_URL,
        ...changes,
      }
      for (const [name, value] of Object.entries(all)) if (value !== null) query.set(name, value)
      return `/auth/oauth/authorize?${query}`
    },
    open: (session, path) => browse().send('get', path, undefined, headersOf(session)),
    decide: (session, path, decision = 'allow', headers = {}) => {
      const request = supertest(app()).post(path).redirects(0).type('form')
      const all = { Origin: TEST_ORIGIN, ...headersOf(session), ...headers }
      for (const [name, value] of Object.entries(all)) if (value !== null) request.set(name, value)
      return request.send({ decision })
    },
    post: (path, form) => supertest(app()).post(path).type('form').send(form),
    async connect(session, clientId, pkce, changes) {
      const { headers } = await tester.decide(session, tester.authorizePath(clientId, pkce, changes))
      return new URL(headers.location ?? '').searchParams.get('code') ?? ''
    },
    redeem: (code, clientId, { verifier }, changes = {}) =>
      tester.post('/auth/oauth/token', {
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
        resource: MCP_URL,
        ...changes,
      }),
    async signIn(given, changes) {
      const session = given ?? (await createTestSession(api))
      const [clientId, pkce] = [await tester.register(), newPkce()]
      const { body } = await tester.redeem(await tester.connect(session, clientId, pkce, changes), clientId, pkce)
      return { ...body, clientId, session }
    },
  }
  return tester
}
