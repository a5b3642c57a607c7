import type { MailServer } from '@subtext/mailer/testing'
import { type AccountOptions, type Client, ON_ITS_OWN_CONNECTION, type TestSystem } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import type { BrowserState, OpenOptions, TestBrowser } from './open-browser.ts'

export const PASSWORD = 'correct horse battery'

/** The pages that need a session, those of operators included, without those of a single job or batch. */
export const MEMBER_PAGES = [
  '/',
  '/search',
  '/ask',
  '/jobs',
  '/batches',
  '/sources',
  '/templates',
  '/subscriptions',
  '/keys',
  '/apps',
  '/webhooks',
  '/usage',
  '/operations',
  '/settings',
]

/** Marks what is shown, so that it cannot be taken for the next page, and goes there. */
const leaveFor = (path: string): string => `(() => {
  for (const heading of document.querySelectorAll('h1')) heading.dataset.left = ''
  history.pushState(null, '', ${JSON.stringify(path)})
})()`

/** What the tests of a file share: one running system, one browser, one mail server. */
export interface DashboardWorld {
  system: TestSystem
  browser: TestBrowser
  mail: () => MailServer
}

export interface Visitor {
  /** Goes to a page and waits until it is there. */
  visit(page: Page, path: string): Promise<void>
  /** Goes to a page of another kind as links do, without loading everything again, and waits for its heading. */
  goOn(page: Page, path: string): Promise<void>
  /** Signs someone up with a password and confirms the address. The page is then at home. */
  join(page: Page): Promise<string>
  /** Opens a page that is signed in to a new account of this plan. */
  enter(
    options?: OpenOptions & AccountOptions & { isOperator?: boolean },
  ): Promise<{ page: Page; client: Client; userId: string; email: string }>
  /** Signs in to an account. Returns the cookies of the session. */
  stateOf(email: string): Promise<BrowserState>
  /** Opens another browser that is signed in to an account. */
  return(email: string): Promise<Page>
  /** Gives an account a connected application, as if someone had allowed it. */
  connectApp(userId: string, name: string, scopes: string[]): Promise<void>
  /** Submits a video on the home page. */
  process(page: Page, url: string): Promise<void>
}

/** Creates what people do in the dashboard before a test begins. */
export function createVisitor({ system, browser, mail }: DashboardWorld): Visitor {
  let people = 0
  const visit = async (page: Page, path: string) => {
    await page.goto(system.baseUrl + path)
    await page.getByRole('main').waitFor()
  }
  /** Signs in with a link, by the API and not by the page, which is quicker. */
  const signIn = async (email: string): Promise<BrowserState> => {
    const post = (url: string, body?: object) =>
      fetch(url, {
        method: 'POST',
        headers: {
          ...ON_ITS_OWN_CONNECTION,
          Origin: system.baseUrl,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
      })
    await post(`${system.baseUrl}/auth/sign-in/magic-link`, { email })
    const response = await post((await mail().next(email)).link)
    const [name = '', value = ''] = response.headers.getSetCookie()[0]?.split(';', 1)[0]?.split('=') ?? []
    const { hostname } = new URL(system.baseUrl)
    const cookie = { name, value, domain: hostname, path: '/', expires: -1, httpOnly: true, secure: false } as const
    return { cookies: [{ ...cookie, sameSite: 'Lax' }], origins: [] }
  }
  return {
    visit,
    async goOn(page, path) {
      await page.evaluate(leaveFor(path))
      await page.locator('h1:not([data-left])').waitFor()
    },
    async join(page) {
      const email = `person${people++}@example.com`
      await visit(page, '/sign-up')
      await page.getByLabel('Name').fill('Ada')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText(`We have sent a message to ${email}`).waitFor()
      await page.goto((await mail().next(email)).link)
      await page.getByRole('button', { name: 'Account' }).waitFor()
      return email
    },
    async enter({ plan = 'pro', isOperator = false, ...options } = {}) {
      const client = await system.createClient({ plan })
      const { userId } = client
      if (isOperator) await system.rows('UPDATE users SET is_operator = true WHERE id = $1', [userId])
      const [user] = await system.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
      const email = user?.email ?? ''
      const page = await browser.open({ ...options, state: await signIn(email) })
      return { page, client, userId, email }
    },
    stateOf: signIn,
    return: async (email) => browser.open({ state: await signIn(email) }),
    async connectApp(userId, name, scopes) {
      await system.rows(
        `INSERT INTO oauth_grants (id, user_id, client_id, client_name, redirect_uri, scopes, resource, created_at, expires_at)
         VALUES (gen_random_uuid(), $1, $2, $2, 'http://127.0.0.1:7777/callback', $3, $4, now(), now() + interval '1 day')`,
        [userId, name, scopes, system.mcpUrl],
      )
    },
    async process(page, url) {
      await visit(page, '/')
      await page.getByLabel('Video URL').fill(url)
      await page.getByRole('button', { name: 'Process video' }).click()
    },
  }
}
