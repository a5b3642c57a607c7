import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/server/testing'
import type { Page } from 'playwright-core'
import { findObstacles } from './open-browser.ts'
import { MEMBER_PAGES, type Visitor } from './visitor.ts'

const TALK = SAMPLE_TALKS.english
const PUBLIC_PAGES = ['/', '/sign-in', '/sign-up', '/forgot-password']
const NARROW = { width: 320, height: 900 }

/** Rules about colors. The themes differ in nothing else. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Returns the obstacles on a page that is shown in the dark theme: all of them, and those of the light theme's colors. */
async function inspect(page: Page): Promise<{ dark: string[]; light: string[] }> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const path = new URL(page.url()).pathname
  const name = (obstacle: string) => `${path}: ${obstacle}`
  expect(await page.evaluate(`document.documentElement.classList.contains('dark')`)).toBe(true)
  const dark = (await findObstacles(page)).map(name)
  await page.evaluate(showTheme('light'))
  const light = (await findObstacles(page, COLOR_RULES)).map(name)
  await page.evaluate(showTheme('dark'))
  return { dark, light }
}

async function fitsNarrowWindow(page: Page): Promise<boolean> {
  const wide = page.viewportSize() ?? NARROW
  await page.setViewportSize(NARROW)
  const fits = await page.evaluate('document.documentElement.scrollWidth <= 320')
  await page.setViewportSize(wide)
  return fits === true
}

/** Changes the theme as the switch does, and waits until no color changes any more. Other animations may have no end. */
const showTheme = (theme: 'dark' | 'light'): string => `(async () => {
  document.documentElement.classList.toggle('dark', ${theme === 'dark'})
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map((transition) => transition.finished))
})()`

/** Tests that everybody can use the pages, in every way. */
export function testAccessibility(visitor: Visitor): void {
  describe('on every page', () => {
    const dark: string[] = []
    const light: string[] = []
    const wide: string[] = []
    beforeAll(async () => {
      const { page } = await visitor.enter({ theme: 'dark', isOperator: true })
      const look = async () => {
        const found = await inspect(page)
        dark.push(...found.dark)
        light.push(...found.light)
      }
      const lookAt = async (path: string) => {
        await visitor.visit(page, path)
        await look()
        if (!(await fitsNarrowWindow(page))) wide.push(path)
      }
      for (const path of PUBLIC_PAGES) await lookAt(path)
      await visitor.process(page, watchUrl(TALK.id))
      await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
      await look()
      for (const path of MEMBER_PAGES) await lookAt(path)
    })

    test('axe finds no obstacle in the dark theme', () => expect(dark).toEqual([]))
    test('axe finds no color that is hard to see in the light theme', () => expect(light).toEqual([]))
    test('nothing is wider than a window of 320 pixels', () => expect(wide).toEqual([]))
  })

  test('somebody processes a video with the keyboard alone', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type(watchUrl(TALK.id))
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
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
}
