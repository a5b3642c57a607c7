import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, watchUrl } from '@subtext/testbed'
import type { Locator, Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'
import { PASSWORD } from './visitor.ts'

const TALK = SAMPLE_TALKS.english
/** A line that is not in view at first. */
const LINE = 25

interface Line {
  start: number
  text: string
}

const HEIGHT = 900

async function isInView(line: Locator): Promise<boolean> {
  const box = await line.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= HEIGHT
}

const readClipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

describeDashboard(({ system, browser, mail, visitor }) => {
  const process = async (client: Client): Promise<{ job: string; line: Line }> => {
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    const { data } = await client.get<{ transcript: { segments: Line[] } }>(`/videos/result/${job}?format=json`)
    const line = data.transcript.segments[LINE]
    if (!line) throw new Error('The talk is too short.')
    return { job, line }
  }
  const marked = (page: Page, { text }: Line) => page.locator('button[aria-current="true"]', { hasText: text })

  test.each([1280, 360])('a link to a moment opens a job at its line, in a window of %i pixels', async (width) => {
    const { page, client } = await visitor.enter({ width })
    const { job, line } = await process(client)
    await visitor.visit(page, `/jobs/${job}#t=${Math.floor(line.start)}`)
    await marked(page, line).waitFor()
    await waitUntil('the line is in view', () => isInView(marked(page, line)))
  })

  test('a link to a moment leads there after signing in, too', async () => {
    const page = await browser.open()
    const email = await visitor.join(page)
    await visitor.process(page, watchUrl(TALK.id))
    await page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first().waitFor()
    await page.context().clearCookies()
    await page.goto(`${page.url()}#t=17`)
    await page.reload()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/jobs\/[^/]+#t=17$/)
    await page.locator('button[aria-current="true"]', { hasText: '0:17' }).waitFor()
  })

  test('a link to a moment leads there after signing in with a link by email or an identity provider, too', async () => {
    const page = await browser.open()
    const email = await visitor.join(page)
    await visitor.process(page, watchUrl(TALK.id))
    await page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first().waitFor()
    const moment = `${page.url()}#t=17`
    const open = async () => {
      await page.context().clearCookies()
      await page.goto(moment)
      await page.reload()
    }
    await open()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByText('a link is on its way').waitFor()
    await page.goto((await mail().next(email)).link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(moment)
    await page.locator('button[aria-current="true"]', { hasText: '0:17' }).waitFor()
    await open()
    await page.getByRole('button', { name: 'Continue with Test ID' }).click()
    await page.waitForURL(moment)
  })

  test('a line is copied as a quotation with its time, and as a link, by buttons and by keys', async () => {
    const { page, client } = await visitor.enter()
    const { job } = await process(client)
    await visitor.visit(page, `/jobs/${job}`)
    const lines = page.getByRole('region', { name: 'Lines' })
    const line = lines.locator('[data-index="3"]')
    const [, time = '', text = ''] = /^(\d+:\d\d)(.+)$/.exec((await line.textContent()) ?? '') ?? []
    const [minutes = 0, seconds = 0] = time.split(':').map(Number)
    const second = minutes * 60 + seconds
    const quotation = `“${text}” (${TALK.title}, ${time}, ${watchUrl(TALK.id)}&t=${second}s)`
    const link = `${system.baseUrl}/jobs/${job}#t=${second}`
    await line.hover()
    const actions = lines.getByRole('toolbar', { name: `Line at ${time}` })
    await actions.getByRole('button', { name: 'Copy quotation' }).click()
    await page.getByRole('region', { name: 'Transcript' }).getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe(quotation)
    await actions.getByRole('button', { name: 'Copy link to this moment' }).click()
    await waitUntil('the link is copied', async () => (await readClipboard(page)) === link)
    await page.mouse.move(0, 0)
    await actions.waitFor({ state: 'detached' })
    const shown = page.getByRole('toolbar', { name: `Line at ${time}` })
    await shown.waitFor({ state: 'detached' })
    await line.getByRole('button').first().click()
    await page.mouse.move(0, 0)
    await shown.getByRole('button', { name: 'Copy quotation' }).click()
    await waitUntil('the quotation is copied', async () => (await readClipboard(page)) === quotation)
    await shown.getByRole('button', { name: 'Copy link to this moment' }).click()
    await waitUntil('the link is copied', async () => (await readClipboard(page)) === link)
    for (const [key, copied] of [
      ['c', quotation],
      ['l', link],
    ] as const) {
      await page.keyboard.press(key)
      await waitUntil(`${key} copies`, async () => (await readClipboard(page)) === copied)
    }
    await page.goto(link)
    await page.locator('button[aria-current="true"]', { hasText: time }).waitFor()
  })
})
