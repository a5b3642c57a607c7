import { oidcSettings, startOidcServer } from './testing/oidc-server.ts'
import { type Browser, useTestAccounts } from './testing/use-test-accounts.ts'

// GitHub and Google, played by this process: their addresses cannot be set.
const { db, browse, join, newEmail, openBeside } = useTestAccounts(() => ({
  github: { clientId: 'github-client', clientSecret: 'secret' },
  google: { clientId: 'google-client', clientSecret: 'secret' },
}))

interface Person {
  id: string
  email: string
  verified: boolean
}
let person: Person
let exchanged: URLSearchParams[]
const realFetch = globalThis.fetch

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const idToken = (): string => {
  const { id: sub, email, verified: email_verified } = person
  const exp = Math.floor(Date.now() / 1_000) + 60
  const claims = {
    iss: 'https://accounts.google.com',
    aud: 'google-client',
    sub,
    email,
    email_verified,
    name: 'Ada',
    exp,
  }
  return `${encode({ alg: 'RS256' })}.${encode(claims)}.x`
}

const REPLIES: Record<string, () => object> = {
  'https://github.com/login/oauth/access_token': () => ({
    access_token: 'gh',
    token_type: 'bearer',
    scope: 'user:email',
  }),
  'https://api.github.com/user': () => ({ id: person.id, login: 'ada', name: 'Ada', email: null }),
  'https://api.github.com/user/emails': () => [{ email: person.email, primary: true, verified: person.verified }],
  'https://oauth2.googleapis.com/token': () => ({ access_token: 'go', token_type: 'Bearer', id_token: idToken() }),
}

beforeAll(() => {
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const reply = REPLIES[url]
    if (!reply) return realFetch(input, init)
    if (init?.body) exchanged.push(new URLSearchParams(String(init.body)))
    return Response.json(reply())
  }
})
afterAll(() => {
  globalThis.fetch = realFetch
})
beforeEach(() => {
  exchanged = []
})

/** Goes to a provider. Returns the parameters of its address. */
async function begin(browser: Browser, provider: string): Promise<URLSearchParams> {
  const started = await browser.send('post', '/auth/sign-in/social', { provider, callbackURL: '/jobs' })
  expect(started.status).toBe(200)
  return new URL(started.body.url).searchParams
}

/** Comes back from a provider, as someone. */
async function comeBack(browser: Browser, provider: string, query: Record<string, string>, as: Partial<Person> = {}) {
  person = { id: '1', email: '', verified: true, ...as }
  return browser.send('get', `/auth/callback/${provider}?${new URLSearchParams(query)}`)
}

async function enter(browser: Browser, provider: string, as: Partial<Person>) {
  const state = (await begin(browser, provider)).get('state') ?? ''
  return comeBack(browser, provider, { code: 'code', state }, { id: as.email ?? '', ...as })
}

describe.each(['github', 'google'])('%s', (provider) => {
  test('signs people up and in, and its tokens are not stored', async () => {
    const email = newEmail()
    const browser = browse()
    expect((await enter(browser, provider, { email })).headers.location).toBe('/jobs')
    const account = await browser.account()
    expect(account).toMatchObject({ email, signInWays: ['magic_link', provider] })
    expect(exchanged[0]?.get('code_verifier')?.length).toBeGreaterThan(40)
    const again = browse()
    await enter(again, provider, { email })
    expect((await again.account())?.id).toBe(account?.id)
    const { rows } = await db.query<{ text: string }>('SELECT identities::text AS text FROM identities')
    for (const { text } of rows) expect(text).not.toMatch(/\bgh\b|\bgo\b/)
  })

  test('joins nobody to the account of an address that it has not verified', async () => {
    const email = newEmail()
    await join(email)
    const attacker = browse()
    const { headers } = await enter(attacker, provider, { id: 'attacker', email, verified: false })
    expect(headers.location).toContain('error=email_not_verified')
    expect(await attacker.account()).toBeUndefined()
  })

  test.each([
    // In lower case, it is the letter that it looks like.
    ['the Kelvin sign', 'k', '\u212a'],
    ['a letter of another script', 'o', '\u043e'],
  ])('does not mistake an address with %s for the one that it resembles', async (_, letter, spoofed) => {
    const email = `${letter}${newEmail()}`
    await join(email)
    const attacker = browse()
    await enter(attacker, provider, { id: `spoof ${email}`, email: email.replace(letter, spoofed) })
    expect(await attacker.account()).toBeUndefined()
  })

  test('accepts a state once, only from the browser in which it began, and none that is made up', async () => {
    const [mine, other] = [browse(), browse()]
    const email = newEmail()
    const state = (await begin(mine, provider)).get('state') ?? ''
    for (const [browser, query] of [
      [other, { code: 'code', state }],
      [mine, { code: 'code', state: `${state}x` }],
      [mine, { code: 'code' }],
    ] as const) {
      const { headers } = await comeBack(browser, provider, query as Record<string, string>, { id: email, email })
      expect(headers.location).toContain('error=')
      expect(await browser.account()).toBeUndefined()
    }
    const fresh = browse()
    const used = (await begin(fresh, provider)).get('state') ?? ''
    await comeBack(fresh, provider, { code: 'code', state: used }, { id: email, email })
    expect(await fresh.account()).toBeDefined()
    await fresh.send('post', '/auth/sign-out')
    await comeBack(fresh, provider, { code: 'code', state: used }, { id: email, email })
    expect(await fresh.account()).toBeUndefined()
  })
})

test('a response with a state that cannot be stored is refused like any other that nothing began with', async () => {
  const { status, headers } = await browse().send('get', '/auth/callback/google?state=%00&code=x')
  expect([status, headers.location]).toEqual([302, expect.stringContaining('error=state_mismatch')])
})

test('the response of one provider is not accepted for a sign-in that began with another', async () => {
  const email = newEmail()
  const browser = browse()
  const state = (await begin(browser, 'google')).get('state') ?? ''
  const { headers } = await comeBack(browser, 'github', { code: 'code', state }, { id: email, email })
  expect(headers.location).toContain('error=state_mismatch')
  expect([exchanged, await browser.account()]).toEqual([[], undefined])
})

test('an OpenID Connect provider that is unavailable at first works as soon as it is back', async () => {
  const oidc = await startOidcServer()
  let isAway = true
  const discovery = `${oidc.issuer}/.well-known/openid-configuration`
  const patched = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url === discovery && isAway) throw new TypeError('fetch failed')
    return patched(input, init)
  }
  try {
    const browser = openBeside({ oidc: oidcSettings(oidc) })()
    const start = () => browser.send('post', '/auth/sign-in/social', { provider: 'oidc' })
    expect(await start()).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
    expect((await browser.send('get', '/auth/options')).body.providers).toContainEqual({ id: 'oidc', name: 'Acme' })
    const link = await browser.send('post', '/auth/sign-in/magic-link', { email: newEmail() })
    expect(link.status).toBe(200)
    isAway = false
    expect((await Promise.all([start(), start()])).map(({ status }) => status)).toEqual([200, 200])
    const email = newEmail()
    oidc.person = { sub: email, email, email_verified: true, name: 'Ada' }
    await browser.send('get', await oidc.authorize((await start()).body.url))
    expect((await browser.account())?.email).toBe(email)
  } finally {
    globalThis.fetch = patched
    await oidc.close()
  }
})
