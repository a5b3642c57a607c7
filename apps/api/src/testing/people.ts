import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import type { TestApi } from './api.ts'
import { useTestApi } from './api.ts'
import { type Browser, openBrowser, TEST_ORIGIN } from './browser.ts'

export const PASSWORD = 'correct horse battery'

export interface TestAccounts {
  api: TestApi
  /** Returns the mail server. Call it in hooks and tests. */
  mail(): MailServer
  /** Opens a browser in which nobody has signed in. */
  browse(): Browser
  /** Returns an address that no other call returns. */
  newEmail(): string
  /** Signs up with a password and confirms the address. Returns the browser, in which the person has signed in. */
  join(email?: string): Promise<Browser>
}

let people = 0

/** Registers hooks that open the API with a mail server. */
export function useTestAccounts(env: Record<string, string> = {}, clock?: () => Date): TestAccounts {
  let mail: MailServer | undefined
  const server = (): MailServer => {
    if (!mail) throw new Error('The mail server is available only in hooks and tests.')
    return mail
  }
  beforeAll(async () => {
    mail = await startMailServer()
  })
  const settings = {
    PUBLIC_BASE_URL: TEST_ORIGIN,
    AUTH_LIMIT_ADDRESS: '1000000',
    get SMTP_URL() {
      return server().url
    },
  }
  // Getters stay getters, for what is known only in hooks.
  Object.defineProperties(settings, Object.getOwnPropertyDescriptors(env))
  const api = useTestApi(settings, clock)
  beforeAll(() => {
    api.sendEmails()
    api.onClose(() => server().close())
  })
  const accounts: TestAccounts = {
    api,
    mail: server,
    browse: () => openBrowser(api.app),
    newEmail: () => `person${people++}@example.org`,
    async join(email = accounts.newEmail()) {
      const browser = accounts.browse()
      await browser.send('post', '/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD })
      await browser.send('get', (await server().next(email)).link)
      return browser
    },
  }
  return accounts
}
