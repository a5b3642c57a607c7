import { DEFAULT_QUOTAS, type Plan } from '@subtext/contracts'
import { type AccountOverview, cookieName, createSessionVerifier, getAccount } from '@subtext/core/accounts'
import { createApiKey } from '@subtext/core/api-keys'
import { createEmailSender, type EmailSender } from '@subtext/core/emails'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createSecretBox } from '@subtext/core/webhooks'
import type { PrismaDb } from '@subtext/db/prisma'
import { useTestDatabase } from '@subtext/db/testing'
import { createMailer } from '@subtext/mailer'
import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import { keyRing } from '@subtext/runtime'
import { createAccountsService } from '../service.ts'
import type { AccountSettings } from '../settings.ts'
import { type Browser as AnyBrowser, cookieHeader, openBrowser, TEST_ORIGIN } from './browser.ts'
import { TEST_PASSWORDS } from './passwords.ts'
import { type ServedResponse, serveRequest } from './serve-request.ts'

export const PASSWORD = 'correct horse battery'

export interface Browser extends AnyBrowser<ServedResponse> {
  /** Returns the account that has signed in, or undefined if none has. */
  account(): Promise<AccountOverview | undefined>
}

/** Opens a browser in which nobody has signed in. `address`: that of the client. */
export type Browse = (address?: string) => Browser

export interface TestAccounts {
  db: PrismaDb
  /** Returns the mail server. Call it in hooks and tests. */
  mail(): MailServer
  browse: Browse
  /** Opens another process, with other settings. Returns what opens browsers that reach it. */
  openBeside(settings?: Partial<AccountSettings>, findMailProblem?: () => Promise<string | null>): Browse
  /** Returns an address that no other call returns. */
  newEmail(): string
  /** Signs up with a password and confirms the address. Returns the browser, in which the person has signed in. */
  join(email?: string): Promise<Browser>
  /** Creates an account with a key, as an operator does. */
  createByOperator(email: string, plan?: Plan): Promise<void>
}

const DEFAULTS: AccountSettings = {
  publicBaseUrl: TEST_ORIGIN,
  ownOrigins: [TEST_ORIGIN],
  signUp: 'open',
  limitPerNetwork: 1_000_000,
}
const ADDRESS = '127.0.0.1'
const AUTH_SECRET = 'a secret for tests of at least 32 characters'
const secretBox = createSecretBox(keyRing.parse(TEST_SECRET_KEY))
const log = { info() {}, warn() {}, error() {} }

let people = 0

/** Registers hooks that open accounts with a mail server. `given`: settings, read in a hook. */
export function useTestAccounts(
  given: () => Partial<AccountSettings> = () => ({}),
  clock: () => Date = () => new Date(),
): TestAccounts {
  let mail: MailServer | undefined
  let sender: EmailSender | undefined
  let browse: Browse | undefined
  const opened = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The test accounts are available only in hooks and tests.')
    return part
  }
  // Before the hook that drops the database.
  afterAll(async () => {
    await sender?.close()
    await mail?.close()
  })
  const { db } = useTestDatabase()
  const openBeside: TestAccounts['openBeside'] = (settings = {}, findMailProblem = async () => null) =>
    openProcess(
      { ...DEFAULTS, ...given(), ...settings },
      { db, clock, wakeSender: () => sender?.wake(), findMailProblem },
    )
  beforeAll(async () => {
    mail = await startMailServer()
    sender = createEmailSender({ db, log, clock }, { secretBox, deliver: createDelivery(mail) })
    browse = openBeside()
  })
  const accounts: TestAccounts = {
    db,
    mail: () => opened(mail),
    browse: (address) => opened(browse)(address),
    openBeside,
    newEmail: () => `person${people++}@example.org`,
    async join(email = accounts.newEmail()) {
      const browser = accounts.browse()
      await browser.send('post', '/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD })
      await browser.send('get', (await accounts.mail().next(email)).link)
      return browser
    },
    async createByOperator(email, plan = 'pro') {
      await createApiKey({ db }, { email, plan, scopes: ['read', 'write'] })
    },
  }
  return accounts
}

const createDelivery = ({ url }: MailServer) =>
  createMailer({ smtpUrl: url, directory: '', from: 'no-reply@example.org', origin: TEST_ORIGIN, onFile() {} })

interface ProcessContext {
  db: PrismaDb
  clock: () => Date
  wakeSender: () => void
  findMailProblem: () => Promise<string | null>
}

/** Opens the service as one process of the API does. */
function openProcess(settings: AccountSettings, context: ProcessContext): Browse {
  const isSecure = settings.publicBaseUrl.startsWith('https:')
  const sessionCookie = { name: cookieName('session_token', isSecure), secret: AUTH_SECRET, acceptedSecrets: [] }
  const verifySession = createSessionVerifier(context, sessionCookie)
  const parts = { settings, secretBox, sessionCookie, verifySession, passwords: TEST_PASSWORDS, onSignIn() {} }
  const service = createAccountsService({ ...context, log, ...parts })
  return (address = ADDRESS) => {
    const browser = openBrowser(
      (method, target, headers, body = {}) => serveRequest(service, { method, target, headers, body, address }),
      settings.publicBaseUrl,
    )
    return {
      ...browser,
      async account() {
        const session = await verifySession(cookieHeader(browser.cookies))
        return session ? getAccount({ ...context, planQuotas: DEFAULT_QUOTAS }, session.actor) : undefined
      },
    }
  }
}
