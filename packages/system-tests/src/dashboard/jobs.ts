import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/server/testing'
import type { DashboardWorld, Visitor } from './visitor.ts'

const TALK = SAMPLE_TALKS.english

/** Tests of the page of a job. */
export function testJobs({ system, browser }: DashboardWorld, visitor: Visitor): void {
  test('a new person gets the first summary with three clicks', async () => {
    const page = await browser.open()
    await visitor.join(page)
    await visitor.process(page, watchUrl(TALK.id))
    await page.getByRole('tabpanel').getByText('ocean', { exact: false }).first().waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(TALK.title)
  })

  test('a citation lights its line of the transcript, and the search counts what it finds', async () => {
    const page = await browser.open()
    await visitor.join(page)
    await visitor.process(page, watchUrl(TALK.id))
    const citation = page
      .getByRole('tabpanel')
      .getByRole('button', { name: /^Go to/ })
      .last()
    await citation.click()
    expect(await citation.getAttribute('aria-pressed')).toBe('true')
    const time = (await citation.textContent()) ?? ''
    await page.locator(`button[aria-current]:has-text("${time}")`).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ocean')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/^2 of \d+$/).waitFor()
  })

  test('a page follows a job to its end, and shows the summary when it is written', async () => {
    const page = await browser.open()
    await visitor.join(page)
    const { id } = system.addCopy(TALK)
    const release = system.platform.hold({ kind: 'timedtext', videoId: id })
    await visitor.process(page, watchUrl(id))
    await page.getByRole('progressbar').waitFor()
    await page.getByText('You can leave this page').waitFor()
    release()
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
  })
}
