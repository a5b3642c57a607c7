import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'
import { MEMBER_PAGES } from './visitor.ts'

const TALK = SAMPLE_TALKS.english
/** Of a free account, by default. */
const REQUESTS_PER_HOUR = 60
const SUBMISSIONS = 10

/** Counts the requests of a page that count toward the limit of its account. */
function countRequests(page: Page): { made: string[] } {
  const made: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1/')) made.push(`${request.method()} ${pathname}`)
  })
  return { made }
}

describeDashboard(({ system, browser, visitor }) => {
  test('ten submissions with their results and the list of jobs stay within the requests of a free account', async () => {
    const page = await browser.open()
    await visitor.join(page)
    const { made } = countRequests(page)
    await visitor.process(page, watchUrl(TALK.id))
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
    await page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first().waitFor()
    const first = made.length
    await page.getByRole('link', { name: 'Subtext, home' }).click()
    await page.getByRole('link', { name: TALK.title }).waitFor()
    await page.getByLabel('Video URL').fill(watchUrl(system.addCopy(TALK).id))
    await page.getByRole('button', { name: 'Process video' }).click()
    await page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first().waitFor()
    const next = made.slice(first)
    expect(next.length).toBeGreaterThan(0)
    // The last thing is the list of jobs, at home again.
    expect([made, first + (SUBMISSIONS - 1) * next.length + 1 <= REQUESTS_PER_HOUR]).toEqual([made, true])
  })

  test('at the request limit, a page says when it continues, and keeps what was typed', async () => {
    const page = await browser.open()
    await visitor.join(page)
    const limited = { code: 'RATE_LIMITED', message: 'Too many requests.', retryable: true, details: { limit: 60 } }
    const reply = { status: 429, headers: { 'Retry-After': '1500' }, json: { success: false, error: limited } }
    await page.route('**/api/v1/**', (route) => route.fulfill(reply))
    await page.getByLabel('Video URL').fill(watchUrl(TALK.id))
    await page.getByRole('button', { name: 'Process video' }).click()
    const message = /You have used all 60 requests that your account can make per hour.*in 25 minutes/
    await page.getByRole('alert').getByText(message).waitFor()
    expect(await page.getByLabel('Video URL').inputValue()).toBe(watchUrl(TALK.id))
    const { made } = countRequests(page)
    for (const name of ['Jobs', 'Keys', 'Settings']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name: name === 'Keys' ? 'API keys' : name, level: 1 }).waitFor()
    }
    const links = made.length
    await visitor.visit(page, '/usage')
    await page.getByRole('alert').getByText(message).first().waitFor()
    // Nothing is asked twice: it would be refused as well. What was loaded anew knows nothing of what came before.
    for (const asked of [made.slice(0, links), made.slice(links)]) {
      expect(asked.filter((path, at) => asked.indexOf(path) !== at && !path.endsWith('/account'))).toEqual([])
    }
    await page.unroute('**/api/v1/**')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('Videos today').waitFor()
  })

  test('a page whose answers fail says so, and shows what was wanted when they succeed again', async () => {
    const { page } = await visitor.enter({ isOperator: true })
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    const failed = { code: 'INTERNAL_ERROR', message: 'Something failed on our side.', retryable: false }
    // Without a question, the search asks for nothing.
    for (const path of MEMBER_PAGES.map((path) => (path === '/search' ? '/search?q=map' : path))) {
      await page.route('**/api/v1/**', (route) =>
        route.fulfill({ status: 500, json: { success: false, error: failed } }),
      )
      await visitor.visit(page, path)
      await page.getByRole('alert').getByText('Something failed on our side.').first().waitFor()
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      await page.unroute('**/api/v1/**')
      for (const button of await page.getByRole('button', { name: 'Try again' }).all()) await button.click()
      await page.getByRole('alert').first().waitFor({ state: 'detached' })
    }
    expect(errors).toEqual([])
  })

  test('many running jobs in a list leave connections for everything else', async () => {
    const { page, client } = await visitor.enter()
    const releases = []
    const jobs: string[] = []
    for (let at = 0; at < 8; at++) {
      const { id } = system.addCopy(TALK)
      releases.push(system.platform.hold({ kind: 'timedtext', videoId: id }))
      jobs.push(await client.submit({ url: watchUrl(id) }))
    }
    const { made } = countRequests(page)
    await visitor.visit(page, '/jobs')
    await page.getByRole('progressbar').nth(7).waitFor()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('Videos today').waitFor()
    expect(made.filter((path) => path.includes('/videos/events/')).length).toBeLessThanOrEqual(2)
    await page.getByRole('link', { name: 'Jobs' }).click()
    for (const release of releases) release()
    await page.getByText('Completed').nth(7).waitFor()
    expect(jobs).toHaveLength(8)
  })
})
