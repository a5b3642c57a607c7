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
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', `--disable-features=${UNUSED_FEATURES.join(',')}`]

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
  /** Opens a page in a browser of its own. Without `state`, nobody has signed in there. */
  open(options?: OpenOptions & { state?: BrowserState }): Promise<Page>
}

/** Registers hooks that start Chromium and end it. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(() => browser?.close())
  return {
    async open({ width = 1280, theme = 'light', state } = {}) {
      if (!browser) throw new Error('The browser is available only in hooks and tests.')
      const viewport = { width, height: 900 }
      const options = { viewport, colorScheme: theme, reducedMotion: 'reduce', storageState: state } as const
      const context = await browser.newContext(options)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      context.setDefaultTimeout(TIMEOUT_MS)
      contexts.push(context)
      return context.newPage()
    },
  }
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
