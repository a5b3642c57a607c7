import { OIDC_CLIENT, type OidcServer, startOidcServer } from '@subtext/accounts/testing/oidc'
import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import { useTestSystem } from '@subtext/testbed'
import { hasChromium, useBrowser } from './open-browser.ts'
import { createVisitor, type DashboardWorld, type Visitor } from './visitor.ts'

interface Dashboard extends DashboardWorld {
  visitor: Visitor
}

const inChromium = hasChromium ? describe : describe.skip

/** Declares tests of the dashboard in a browser, with a system and a browser of their own. Without Chromium, they are skipped. */
export const describeDashboard = (declareTests: (dashboard: Dashboard) => void): void =>
  inChromium('the dashboard (needs Chromium)', () => declareTests(useDashboard()))

/** Registers hooks that start everything that a browser shows, and Chromium, and stop it afterwards. */
function useDashboard(): Dashboard {
  let mail: MailServer
  let oidc: OidcServer
  beforeAll(async () => {
    mail = await startMailServer()
    oidc = await startOidcServer()
  })
  afterAll(() => Promise.all([mail?.close(), oidc?.close()]))
  const system = useTestSystem({
    messagesApi: true,
    settings: {
      ...OIDC_CLIENT,
      OIDC_NAME: 'Test ID',
      get OIDC_ISSUER() {
        return oidc.issuer
      },
      AUTH_LIMIT_ADDRESS: '100000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      get SMTP_URL() {
        return mail.url
      },
    },
  })
  const world = { system, browser: useBrowser(system), mail: () => mail }
  return { ...world, visitor: createVisitor(world) }
}
