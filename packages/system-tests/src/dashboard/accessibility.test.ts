import { randomUUID } from 'node:crypto'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, watchUrl } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import { listEntryOf } from './list-entry.ts'
import { findObstacles } from './open-browser.ts'
import { describeDashboard } from './use-dashboard.ts'
import { MEMBER_PAGES } from './visitor.ts'

const TALK = SAMPLE_TALKS.english
const FOLLOWED = 'PLaccessible001'
const WIDTHS = [320, 768, 1280]

/** Rules about colors. The themes differ in nothing else. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Changes the theme as the switch does, and waits until no color changes any more. Other animations may have no end. */
const showTheme = (theme: 'dark' | 'light'): string => `(async () => {
  document.documentElement.classList.toggle('dark', ${theme === 'dark'})
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map((transition) => transition.finished))
})()`

const OPEN_DETAILS = `document.querySelectorAll('main details, [role=dialog] details').forEach((details) => { details.open = true })`

/**
 * Returns the accessibility problems of a page that is shown in the dark theme, with everything that can be unfolded: all of them,
 * those of the light theme's colors, and window widths that are too narrow for it.
 */
async function inspect(page: Page, name: string): Promise<string[]> {
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate(OPEN_DETAILS)
  expect(await page.evaluate(`document.documentElement.classList.contains('dark')`)).toBe(true)
  const obstacles = await findObstacles(page)
  await page.evaluate(showTheme('light'))
  obstacles.push(...(await findObstacles(page, COLOR_RULES)).map((obstacle) => `light: ${obstacle}`))
  await page.evaluate(showTheme('dark'))
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    if (isWider) obstacles.push(`wider than ${width} pixels`)
  }
  return obstacles.map((obstacle) => `${name}: ${obstacle}`)
}

/** Counts the elements that change step by step, scroll smoothly, or have an animation that can be seen. */
const COUNT_MOVING = `[...document.querySelectorAll('*')].filter((element) =>
  [null, '::before', '::after'].some((part) => {
    const { transitionDuration, animationName, animationDuration, animationIterationCount, scrollBehavior } =
      getComputedStyle(element, part)
    const seconds = (list) => Math.max(...list.split(',').map((one) => Number.parseFloat(one)))
    const isAnimated =
      animationName !== 'none' && (seconds(animationDuration) > 0.01 || animationIterationCount === 'infinite')
    return seconds(transitionDuration) > 0 || scrollBehavior === 'smooth' || isAnimated
  }),
).length`

/** Returns where links of the page to the documentation lead. */
const listDocumentLinks = (page: Page): Promise<string[]> =>
  page
    .locator('a[href*="/docs"]')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('href') ?? ''))

describeDashboard(({ system, browser, visitor }) => {
  beforeAll(() =>
    system.platform.addPlaylist({ id: FOLLOWED, title: 'Talks', owner: 'Somebody', entries: [listEntryOf(TALK)] }),
  )

  /** Follows a playlist for someone. Returns the path of the subscription's page. */
  const follow = async (client: Client): Promise<string> => {
    const body = { url: FOLLOWED, action: 'process', catch_up: 1, match: { any: ['ocean'] } }
    const { data } = await client.post<{ subscription_id: string }>('/subscriptions', body)
    await client.post('/feeds', { all: true, name: 'Everything' })
    return `/subscriptions/${data.subscription_id}`
  }

  const title = 'has no accessibility problem in either theme, and fits windows of 320 to 1280 pixels'

  test(`every page for visitors ${title}`, async () => {
    const page = await browser.open({ theme: 'dark' })
    const found: string[] = []
    for (const path of [
      '/',
      '/sign-in?verified=true',
      '/sign-in?error=INVALID_TOKEN',
      '/sign-up',
      '/forgot-password',
      '/reset-password?token=x',
      '/no/such/page',
    ]) {
      await visitor.visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      found.push(...(await inspect(page, path)))
    }
    expect(found).toEqual([])
  })

  test(`every page for members ${title}, full or empty`, async () => {
    const { page, client, userId } = await visitor.enter({ theme: 'dark', isOperator: true })
    const found: string[] = []
    const links = new Set<string>()
    const look = async (path: string, go = visitor.goOn) => {
      await go(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      found.push(...(await inspect(page, path)))
      for (const link of await listDocumentLinks(page)) links.add(link)
    }
    await look('/jobs', visitor.visit)
    for (const path of ['/batches', '/subscriptions', '/apps', '/webhooks']) await look(path)
    const video = { url: watchUrl(TALK.id), options: { summary_modes: ['tldr', 'detailed'] } }
    const job = await client.submit({ ...video, webhook_url: `${system.receiver.origin}/axe` })
    await client.follow(job)
    const failed = await client.submit({ url: watchUrl('sbtx-x-noca') })
    await client.follow(failed)
    const batch = await client.post<{ batch_id: string }>('/batch/process', {
      videos: [video, { url: watchUrl('sbtx-x-priv') }],
    })
    const subscription = await follow(client)
    await visitor.connectApp(userId, 'Chat application', ['read', 'write'])
    const schema = { type: 'object', properties: { topic: { type: 'string' } } }
    await client.post('/templates', { name: 'topics', schema })
    const filled = await client.submit({ ...video, options: { summary_modes: [], templates: ['chapters', 'topics'] } })
    await client.follow(filled)
    // Discards the page's memory of the time when everything was empty.
    await visitor.visit(page, '/keys')
    for (const path of [...MEMBER_PAGES, `/batches/${batch.data.batch_id}`, `/jobs/${job}`, subscription])
      await look(path)
    for (const path of ['/new-template', '/templates/topics', `/jobs/${filled}`]) await look(path, visitor.visit)
    await look('/search?q=ocean', visitor.visit)
    await look(`/jobs/${failed}`, visitor.visit)
    await look(`/jobs/${randomUUID()}`, visitor.visit)
    await page.route('**/api/v1/usage/**', (route) => route.abort())
    await look('/usage', visitor.visit)
    expect(found).toEqual([])
    expect([...links]).toContain('/api/v1/docs/guides/webhooks')
    for (const link of links) {
      expect([link, (await page.request.get(system.baseUrl + link)).status()]).toEqual([link, 200])
    }
  })

  test(`every dialog ${title}`, async () => {
    const { page, client, userId } = await visitor.enter({ theme: 'dark' })
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    await visitor.connectApp(userId, 'Chat application', ['read', 'write'])
    const subscription = await follow(client)
    const dialogs: [path: string, button: string][] = [
      ['/batches', 'New batch'],
      ['/keys', 'Create key'],
      ['/keys', 'Revoke'],
      ['/apps', 'Disconnect'],
      ['/subscriptions', 'New subscription'],
      ['/subscriptions', 'Create feed'],
      [subscription, 'Edit'],
      ['/webhooks', 'Send test event'],
      ['/webhooks', 'Rotate secret'],
      ['/settings', 'Delete account'],
      [`/jobs/${job}`, 'Add a summary'],
    ]
    const found: string[] = []
    let open = '/'
    await visitor.visit(page, open)
    for (const [path, button] of dialogs) {
      if (path !== open) await visitor.goOn(page, path)
      open = path
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').waitFor()
      found.push(...(await inspect(page, button)))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(found).toEqual([])
  })

  test('an open menu makes no page wider than its window while the window becomes narrower', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    for (const [button, item] of [
      ['Download', /PDF/],
      ['Account', 'Sign out'],
    ] as const) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('menuitem', { name: item }).waitFor()
      // Before the menu has moved, and in every frame until long after.
      const widest = page.evaluate(`new Promise((resolve) => {
        let [widest, frames] = [0, 0]
        const look = () => {
          if (innerWidth === 320) {
            widest = Math.max(widest, document.documentElement.scrollWidth)
            frames++
          }
          if (frames < 20) requestAnimationFrame(look)
          else resolve(widest)
        }
        look()
      })`)
      await page.setViewportSize({ width: 320, height: 900 })
      expect([button, await widest]).toEqual([button, 320])
      await page.keyboard.press('Escape')
    }
  })

  test('nothing moves by itself or step by step for people who want less motion, and something does for others', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    const moving: [path: string, moving: number][] = []
    await visitor.visit(page, '/')
    for (const path of [...MEMBER_PAGES.slice(1), `/jobs/${job}`]) {
      await visitor.goOn(page, path)
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
      moving.push([path, await page.evaluate<number>(COUNT_MOVING)])
    }
    expect(moving.filter(([, count]) => count > 0)).toEqual([])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await page.evaluate<number>(COUNT_MOVING)).toBeGreaterThan(0)
    await visitor.goOn(page, '/webhooks')
    await page.getByRole('switch', { name: 'Live updates' }).waitFor()
    const countEndless = `document.getAnimations().filter((animation) => animation.effect.getTiming().iterations === Infinity).length`
    expect(await page.evaluate<number>(countEndless)).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await page.evaluate<number>(countEndless)).toBe(0)
  })

  test('a page needs at most 150 kB of scripts before the first interaction', async () => {
    const { page } = await visitor.enter()
    for (const path of ['/sign-in', '/']) {
      await visitor.visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const scripts = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))`
      const bytes = Number(
        await page.evaluate(`${scripts}.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`),
      )
      expect(bytes).toBeGreaterThan(0)
      expect(bytes).toBeLessThanOrEqual(150_000)
    }
  })
})
