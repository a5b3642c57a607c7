import { OIDC_CLIENT, type OidcServer, startOidcServer } from '@subtext/accounts/testing/oidc'
import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import { useTestSystem } from '@subtext/testbed'
import { testAccessibility } from './dashboard/accessibility.ts'
import { testAdverseConditions } from './dashboard/adverse-conditions.ts'
import { testApps } from './dashboard/apps.ts'
import { testChat } from './dashboard/chat.ts'
import { testConsoles } from './dashboard/consoles.ts'
import { testHostileTexts } from './dashboard/hostile-texts.ts'
import { testJobs } from './dashboard/jobs.ts'
import { testKeyboard } from './dashboard/keyboard.ts'
import { testLimits } from './dashboard/limits.ts'
import { testLongTranscripts } from './dashboard/long-transcript.ts'
import { hasChromium, useBrowser } from './dashboard/open-browser.ts'
import { testSessions } from './dashboard/sessions.ts'
import { testSettings } from './dashboard/settings.ts'
import { testSignIn } from './dashboard/sign-in.ts'
import { createVisitor } from './dashboard/visitor.ts'

const inChromium = hasChromium ? describe : describe.skip

let mail: MailServer
let oidc: OidcServer
beforeAll(async () => {
  mail = await startMailServer()
  oidc = await startOidcServer()
})
afterAll(() => Promise.all([mail?.close(), oidc?.close()]))

// One system for everything that a browser shows: starting it takes longer than most of the tests.
inChromium('the dashboard', () => {
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
  const visitor = createVisitor(world)
  testSignIn(world, visitor)
  testJobs(world, visitor)
  testChat(world, visitor)
  testConsoles(world, visitor)
  testApps(world, visitor)
  testSettings(world, visitor)
  testSessions(world, visitor)
  testLimits(world, visitor)
  testHostileTexts(world, visitor)
  testAdverseConditions(world, visitor)
  testKeyboard(world, visitor)
  testLongTranscripts(world, visitor)
  testAccessibility(world, visitor)
})
