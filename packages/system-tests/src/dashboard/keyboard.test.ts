import { waitUntil } from '@subtext/embedded/testing'
import { longVideo, SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import type { Locator, Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'
import { PASSWORD } from './visitor.ts'

const TALK = SAMPLE_TALKS.english
/** More Tab presses than reaching any element takes. */
const MAX_TABS = 60

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => (element as unknown as { matches(selector: string): boolean }).matches(':focus'))

/** Moves the focus to an element with the Tab key. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses <= MAX_TABS; presses++) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${target}.`)
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Lets the page lose the focus to another window, and get it back. */
async function lookAway(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  // Playwright lets every page believe that it has the focus.
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false })
  const { windowId } = await session.send('Browser.getWindowForTarget')
  for (const windowState of ['minimized', 'normal'] as const) {
    await session.send('Browser.setWindowBounds', { windowId, bounds: { windowState } })
    // Playwright's own wait evaluates text while the page runs, which the policy of the page refuses.
    await waitUntil(`the window is ${windowState}`, async () => {
      return (await page.evaluate('document.hasFocus()')) === (windowState === 'normal')
    })
  }
  await session.detach()
}

describeDashboard(({ system, browser, mail, visitor }) => {
  test('someone signs up, and processes a video, with the keyboard alone', async () => {
    const page = await browser.open()
    await visitor.visit(page, '/sign-up')
    await tabTo(page, page.getByLabel('Name'))
    const email = 'keyboard@example.com'
    for (const text of ['Ada', email, PASSWORD]) {
      await page.keyboard.type(text)
      await page.keyboard.press(text === PASSWORD ? 'Enter' : 'Tab')
    }
    await page.getByText(`We have sent a message to ${email}`).waitFor()
    await page.goto((await mail().next(email)).link)
    await page.getByLabel('Video URL').waitFor()
    await page.keyboard.press('Tab')
    expect(await hasFocus(page.getByRole('link', { name: 'Skip to content' }))).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type(watchUrl(TALK.id))
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
  })

  test('someone reads a job with the keyboard alone', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id), options: { summary_modes: ['tldr', 'key_insights'] } })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await tabTo(page, page.getByRole('tab', { name: 'TL;DR' }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('tabpanel', { name: 'Key insights' })
    const citation = panel.getByRole('button', { name: /^Go to/ }).first()
    await press(page, citation)
    expect(await citation.getAttribute('aria-pressed')).toBe('true')
    const current = page.locator('button[aria-current="true"]')
    const cited = await current.textContent()
    await page.keyboard.press('j')
    await page.locator('button[aria-current="true"]', { hasNotText: cited ?? '' }).waitFor()
    await page.keyboard.press('/')
    expect(await hasFocus(page.getByRole('searchbox', { name: 'Search in transcript' }))).toBe(true)
    await page.keyboard.type('ocean')
    await page.getByText(/^1 of \d+$/).waitFor()
    await press(page, page.getByRole('region', { name: 'Lines' }).locator('[tabindex="0"]'), '?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+Tab')
    await page.getByRole('button', { name: 'Download' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.locator('[role="menuitem"][data-highlighted]').waitFor()
    await page.keyboard.press('Escape')
    // Returns when the menu has closed.
    await page.getByRole('button', { name: 'Download' }).and(page.locator(':focus')).waitFor()
  })

  test('a transcript of ten hours is one tab stop, whose lines the arrow keys, j and k move through', async () => {
    const { page, client } = await visitor.enter()
    const video = longVideo({ id: 'sbtx-10tabs', hours: 10 })
    system.platform.addVideo(video)
    const job = await client.submit({ url: watchUrl(video.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    const lines = page.getByRole('region', { name: 'Lines' })
    const line = (index: number) => lines.locator(`[data-index="${index}"]`).getByRole('button')
    const focused = (index: number) => line(index).and(page.locator(':focus')).waitFor()
    await tabTo(page, line(0))
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key)
    await focused(2)
    await page.keyboard.press('Enter')
    await line(2).and(page.locator('[aria-current="true"]')).waitFor()
    await page.keyboard.press('j')
    await focused(3)
    expect(await line(3).getAttribute('aria-current')).toBe('true')
    await page.keyboard.press('k')
    await focused(2)
    await page.keyboard.press('End')
    const last = Number(await lines.locator('li').first().getAttribute('aria-setsize')) - 1
    await focused(last)
    // The line keeps the focus while the list is scrolled far away from it, and is left in one step.
    await lines.hover()
    await page.mouse.wheel(0, -100_000)
    await line(last - 20).waitFor({ state: 'detached' })
    await focused(last)
    await page.keyboard.press('Tab')
    expect(await lines.locator(':focus').count()).toBe(0)
    await page.locator('button:focus, textarea:focus').waitFor()
    await page.keyboard.press('Shift+Tab')
    await lines.locator(':focus').waitFor()
  })

  for (const scrolled of [500, 1_500]) {
    test(`a transcript scrolled by ${scrolled} pixels keeps its place and the focus while someone looks at another window`, async () => {
      const { page, client } = await visitor.enter()
      const job = await client.submit({ url: watchUrl(TALK.id) })
      await client.follow(job)
      await visitor.visit(page, `/jobs/${job}`)
      const lines = page.getByRole('region', { name: 'Lines' })
      const focused = lines.locator('[data-index="2"]').getByRole('button').and(page.locator(':focus'))
      const scrollTop = () => lines.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop)
      await lines.locator('[data-index="2"]').click()
      await focused.waitFor()
      await lines.hover()
      await page.mouse.wheel(0, scrolled)
      await waitUntil('the transcript is scrolled', async () => (await scrollTop()) === scrolled)
      await lookAway(page)
      expect([await scrollTop(), await focused.count()]).toEqual([scrolled, 1])
    })
  }

  test('a key that leads to no other line does not move the focus later', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    const lines = page.getByRole('region', { name: 'Lines' })
    const citations = page.getByRole('tabpanel').getByRole('button', { name: /^Go to/ })
    const last = Number(await lines.locator('li').first().getAttribute('aria-setsize')) - 1
    for (const [keys, index, citation] of [
      [['Home', 'Enter', 'k'], 0, citations.last()],
      [['End', 'Enter', 'j'], last, citations.first()],
    ] as const) {
      const line = lines.locator(`[data-index="${index}"]`).getByRole('button')
      await tabTo(page, lines.locator('[tabindex="0"]'))
      for (const key of keys) await page.keyboard.press(key)
      await line.and(page.locator('[aria-current="true"]:focus')).waitFor()
      // Another line becomes the current one without a key, as when the video is played.
      await citation.dispatchEvent('click')
      await line.and(page.locator(':not([aria-current])')).waitFor()
      expect(await hasFocus(line)).toBe(true)
      for (const key of keys) await page.keyboard.press(key)
      await line.and(page.locator('[aria-current="true"]:focus')).waitFor()
      await citation.focus()
      await page.keyboard.press('Enter')
      await line.and(page.locator(':not([aria-current])')).waitFor()
      expect(await hasFocus(citation)).toBe(true)
    }
  })

  test('someone creates, disables and revokes a key with the keyboard alone', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/keys')
    await press(page, page.getByRole('button', { name: 'Create key' }))
    const dialog = page.getByRole('dialog')
    await tabTo(page, dialog.getByLabel('Name'))
    await page.keyboard.type('From the keyboard')
    await page.keyboard.press('Enter')
    await press(page, dialog.getByRole('button', { name: 'Done' }))
    await dialog.waitFor({ state: 'detached' })
    expect(await hasFocus(page.getByRole('button', { name: 'Create key' }))).toBe(true)
    const row = page.getByRole('listitem').filter({ hasText: 'From the keyboard' })
    await press(page, row.getByRole('button', { name: 'Disable' }))
    await row.getByRole('button', { name: 'Enable' }).waitFor()
    await press(page, row.getByRole('button', { name: 'Revoke' }))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }))
    await row.getByText('revoked').waitFor()
  })

  test('someone tests a webhook and changes the name with the keyboard alone', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/webhooks')
    await press(page, page.getByRole('button', { name: 'Send test event' }))
    await tabTo(page, page.getByLabel('Receiver URL'))
    await page.keyboard.type(`${system.receiver.origin}/keyboard`)
    await page.keyboard.press('Enter')
    await page.getByText('Sent. The list shows').waitFor()
    await page.keyboard.press('Escape')
    await press(page, page.getByRole('button', { name: /webhook\.test.*delivered/i }))
    await press(page, page.getByRole('button', { name: 'Redeliver' }))
    await page.getByRole('table', { name: 'Attempts' }).getByRole('row').nth(2).waitFor()
    await press(page, page.getByRole('switch', { name: 'Live updates' }), 'Space')
    await page.getByRole('switch', { name: 'Live updates', checked: false }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Name'))
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Grace Hopper')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
  })
})
