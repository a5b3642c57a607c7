import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english
const DAY_MS = 86_400_000

/** Makes the clock of a page differ from that of the service. */
const shiftClock = (ms: number): string => `globalThis.Date = class extends Date {
  static now() { return super.now() + ${ms} }
  constructor(...values) { super(...(values.length > 0 ? values : [new.target.now()])) }
}`

/** Holds back the answers to requests with this method and path. Returns how many came, and a function that lets them go. */
async function holdBack(page: Page, method: string, path: string) {
  const held = { requests: 0, release: () => {} }
  const released = new Promise<void>((resolve) => {
    held.release = resolve
  })
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === method) {
      held.requests++
      await released
    }
    await route.continue()
  })
  return held
}

describeDashboard(({ system, visitor }) => {
  test.each([
    ['a day ahead', DAY_MS],
    ['a day behind', -DAY_MS],
  ])(
    'a computer whose clock is %s shows how long ago things were, follows a job and stays signed in',
    async (_, ms) => {
      const { page, client, userId } = await visitor.enter()
      await page.addInitScript(shiftClock(ms))
      const { id } = system.addCopy(TALK)
      const release = system.platform.hold({ kind: 'timedtext', videoId: id })
      await visitor.process(page, watchUrl(id))
      await page.getByText('You can leave this page').waitFor()
      release()
      await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
      await client.submit({ url: watchUrl(system.addCopy(TALK).id) })
      await visitor.visit(page, '/jobs')
      const times = page.getByText(/^(now|\d+ (second|minute)s? ago)$/)
      await times.nth(1).waitFor()
      await page.goto(`${system.baseUrl}/keys`)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByLabel('Name').fill('For a month')
      await page.getByLabel('Expires').selectOption('30')
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
      const [key] = await system.rows<{ days: number }>(
        `SELECT extract(epoch FROM expires_at - created_at)::float8 / 86400 AS days FROM api_keys
        WHERE user_id = $1 AND name = 'For a month'`,
        [userId],
      )
      expect(key?.days).toBeCloseTo(30, 1)
    },
  )

  test('a form whose answer takes long says so, and sends nothing twice', async () => {
    const { page, userId } = await visitor.enter()
    const submitted = await holdBack(page, 'POST', '/api/v1/videos/process')
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').fill(watchUrl(TALK.id))
    const submit = page.getByRole('button', { name: 'Process video' })
    await submit.dblclick()
    await page.locator('button[type=submit][aria-busy="true"]').waitFor()
    await page.getByLabel('Video URL').press('Enter')
    await submit.click({ force: true })
    submitted.release()
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
    const created = await holdBack(page, 'POST', '/api/v1/account/keys')
    await visitor.visit(page, '/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Once')
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create key' })
    await create.dblclick()
    await page.locator('button[type=submit][aria-busy="true"]').waitFor()
    await page.getByLabel('Name').press('Enter')
    created.release()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    expect([submitted.requests, created.requests]).toEqual([1, 1])
    expect(await system.rows('SELECT id FROM jobs WHERE user_id = $1', [userId])).toHaveLength(1)
  })

  test('a page whose script is missing says so in place, and can be loaded again', async () => {
    const { page } = await visitor.enter()
    await page.route('**/assets/templates-page-*.js', (route) => route.abort())
    await visitor.visit(page, '/templates')
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'This page could not be shown', level: 1 }).waitFor()
    await page.unroute('**/assets/templates-page-*.js')
    await main.getByRole('button', { name: 'Reload' }).click()
    await main.getByRole('heading', { name: 'Templates', level: 1 }).waitFor()
  })

  test('a page that waits long for its contents says so, and shows them when they come', async () => {
    const { page } = await visitor.enter()
    const jobs = await holdBack(page, 'GET', '/api/v1/videos/?*')
    await visitor.visit(page, '/jobs')
    await page.locator('main [aria-busy="true"]').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    jobs.release()
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
    expect(jobs.requests).toBe(1)
  })
})
