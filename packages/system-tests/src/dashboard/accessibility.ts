import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/server/testing'
import { findObstacles } from './open-browser.ts'
import { type DashboardWorld, MEMBER_PAGES, type Visitor } from './visitor.ts'

const TALK = SAMPLE_TALKS.english

/** Tests that everybody can use the pages, in every way. */
export function testAccessibility({ browser }: DashboardWorld, visitor: Visitor): void {
  test.each(['light', 'dark'] as const)('axe finds no obstacle on any page in the %s theme', async (theme) => {
    const { page } = await visitor.enter({ theme, isOperator: true })
    for (const path of ['/', '/sign-in', '/sign-up', '/forgot-password']) {
      await visitor.visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await findObstacles(page)]).toEqual([path, []])
    }
    await visitor.process(page, watchUrl(TALK.id))
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
    expect(await findObstacles(page)).toEqual([])
    for (const path of MEMBER_PAGES) {
      await visitor.visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await findObstacles(page)]).toEqual([path, []])
    }
  })

  test('no page is wider than a window of 320 pixels', async () => {
    const { page } = await visitor.enter({ width: 320, isOperator: true })
    for (const path of [...MEMBER_PAGES, '/sign-in', '/sign-up']) {
      await visitor.visit(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await page.evaluate('document.documentElement.scrollWidth <= 320')]).toEqual([path, true])
    }
  })

  test('somebody processes a video with the keyboard alone', async () => {
    const page = await browser.open()
    await visitor.join(page)
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
