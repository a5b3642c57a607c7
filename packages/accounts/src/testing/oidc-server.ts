import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { OidcSettings } from '../settings.ts'
import { TEST_ORIGIN } from './browser.ts'

export interface OidcServer {
  issuer: string
  /** The person who signs in next. */
  person: { sub: string; email: string; email_verified: boolean; name: string }
  /** Follows the redirects of the provider as the person's browser, and returns the address of the service to which it leads. */
  authorize(url: string): Promise<string>
  close(): Promise<void>
}

export const OIDC_CLIENT = { OIDC_CLIENT_ID: 'subtext', OIDC_CLIENT_SECRET: 'secret-of-the-client' }

/** Returns the settings for signing in with a server. */
export const oidcSettings = ({ issuer }: OidcServer): OidcSettings => ({
  issuer,
  clientId: OIDC_CLIENT.OIDC_CLIENT_ID,
  clientSecret: OIDC_CLIENT.OIDC_CLIENT_SECRET,
  name: 'Acme',
  trustEmail: false,
})

const CALLBACK_PATH = '/auth/callback/oidc'

/** Starts an OpenID Connect provider that signs in `person` without asking, and then returns to the service at any address. */
export async function startOidcServer(): Promise<OidcServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const running = { person: { sub: 'one', email: 'one@example.org', email_verified: true, name: 'One' } }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.OIDC_CLIENT_ID,
        client_secret: OIDC_CLIENT.OIDC_CLIENT_SECRET,
        redirect_uris: [TEST_ORIGIN + CALLBACK_PATH],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['test'] },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ ...running.person, sub: id }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  })
  // Services in tests listen on ports that are not known before.
  provider.Client.prototype.redirectUriAllowed = (uri) => new URL(uri).pathname === CALLBACK_PATH
  const handle = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const accountId = running.person.sub
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const result = { login: { accountId }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  })
  return {
    issuer,
    get person() {
      return running.person
    },
    set person(person) {
      running.person = person
    },
    async authorize(url) {
      const cookies = new Map<string, string>()
      for (let next = url; ; ) {
        if (next.startsWith(TEST_ORIGIN)) return next
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const header of response.headers.getSetCookie()) {
          const [name = '', value = ''] = header.split(';', 1)[0]?.split(/=(.*)/s, 2) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (!location) throw new Error(`${next} leads nowhere: ${response.status} ${await response.text()}`)
        next = new URL(location, next).href
      }
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
