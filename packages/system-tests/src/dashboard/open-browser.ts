import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The headless shell comes first: it draws nothing around a page, which takes a third of the CPU time. */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))

/**
 * Disables parts of the browser that no test needs: the address bar has its own pages, and a spare process waits for the next
 * page.
 */
const UNUSED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
  'SpareRendererForSitePerProcess',
  // The list replaces Playwright's, of which these concern pages.
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'HttpsUpgrades', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
]
/** Pages are used too briefly for optimizing their scripts to pay. */
const UNOPTIMIZED = '--js-flags=--no-opt,--no-maglev'
/** The pages of a profile share a process, which has already compiled their scripts. */
const FEW_PROCESSES = ['--process-per-site', '--renderer-process-limit=1']
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', UNOPTIMIZED, ...FEW_PROCESSES],
  `--disable-features=${UNUSED_FEATURES.join(',')}`,
]

/** Without Chromium, tests in a browser are skipped by name. */
export const hasChromium = CHROMIUM !== undefined

const AXE = fileURLToPath(new URL('../../../../node_modules/axe-core/axe.min.js', import.meta.url))
/** Generous, because a busy machine must not fail a test. */
const TIMEOUT_MS = 90_000

export type BrowserState = Exclude<BrowserContextOptions['storageState'], string | undefined>

export interface OpenOptions {
  width?: number
  theme?: 'light' | 'dark'
}

export interface TestBrowser {
  /** Opens a page in a profile that no other open page has. Without `state`, nobody has signed in there. */
  open(options?: OpenOptions & { state?: BrowserState }): Promise<Page>
}

/** What pages keep, besides cookies. The cache stays, so that a page need not load and compile its scripts again. */
const STORED = { origin: '*', storageTypes: 'local_storage,indexeddb,cache_storage,service_workers' }

/** Registers hooks that start Chromium and end it. Its profiles are emptied after each test, and used again by the next ones. */
export function useBrowser(system: { readonly baseUrl: string }): TestBrowser {
  let browser: Browser | undefined
  const idle: Profile[] = []
  const used: Profile[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  })
  afterEach(async () => {
    for (const profile of used.splice(0)) {
      await empty(profile)
      idle.push(profile)
    }
  })
  afterAll(() => browser?.close())
  return {
    async open({ width = 1280, theme = 'light', state } = {}) {
      if (!browser) throw new Error('The browser is available only in hooks and tests.')
      const profile = idle.pop() ?? (await createProfile(browser, system.baseUrl))
      used.push(profile)
      await profile.context.addCookies(state?.cookies ?? [])
      const page = await profile.context.newPage()
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: theme })
      return page
    },
  }
}

interface Profile {
  context: BrowserContext
  /** Stays open, and with it the process of the pages. */
  anchor: Page
}

async function createProfile(browser: Browser, baseUrl: string): Promise<Profile> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  context.setDefaultTimeout(TIMEOUT_MS)
  const anchor = await context.newPage()
  await anchor.goto(`${baseUrl}/favicon.svg`)
  return { context, anchor }
}

async function empty({ context, anchor }: Profile): Promise<void> {
  for (const page of context.pages()) if (page !== anchor) await page.close()
  await context.clearCookies()
  const session = await context.newCDPSession(anchor)
  await session.send('Storage.clearDataForOrigin', STORED)
  await session.detach()
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[]
}

/** Returns the accessibility problems that axe finds on a page; with `rules`, only those of these rules. */
export async function findObstacles(page: Page, rules?: string[]): Promise<string[]> {
  // Evaluated by the debugger, so the policy of the page does not apply.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(readFileSync(AXE, 'utf8'))
  // Describing passed checks takes longer than running them.
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResult
  return violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`)
}
