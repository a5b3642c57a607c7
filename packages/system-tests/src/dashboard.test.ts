import { type MailServer, startMailServer } from '@subtext/mailer/testing'
import { useTestSystem } from '@subtext/server/testing'
import { testAccessibility } from './dashboard/accessibility.ts'
import { testChat } from './dashboard/chat.ts'
import { testConsoles } from './dashboard/consoles.ts'
import { testJobs } from './dashboard/jobs.ts'
import { hasChromium, useBrowser } from './dashboard/open-browser.ts'
import { testSignIn } from './dashboard/sign-in.ts'
import { createVisitor } from './dashboard/visitor.ts'

const inChromium = hasChromium ? describe : describe.skip

let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
})
afterAll(() => mail?.close())

// One system for everything that a browser shows: starting it takes longer than most of the tests.
inChromium('the dashboard', () => {
  const system = useTestSystem({
    messagesApi: true,
    settings: {
      AUTH_LIMIT_ADDRESS: '100000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      get SMTP_URL() {
        return mail.url
      },
    },
  })
  const world = { system, browser: useBrowser(), mail: () => mail }
  const visitor = createVisitor(world)
  testSignIn(world, visitor)
  testJobs(world, visitor)
  testChat(world, visitor)
  testConsoles(world, visitor)
  testAccessibility(world, visitor)
})
