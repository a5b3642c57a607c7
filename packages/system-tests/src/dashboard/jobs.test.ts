import { readFile } from 'node:fs/promises'
import { DOCUMENT_FORMATS, FORMATS, RESULT_FORMATS } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english

/** The text below the title in the order in which its words are shown: line by line, from left to right. */
const DESCRIPTION_AS_SHOWN = `(() => {
  const words = []
  const nodes = document.createTreeWalker(document.querySelector('h1 + p'), NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(/\\s*\\S+\\s*/g)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const { x, y } = range.getClientRects()[0]
      words.push({ word, x, y })
    }
  }
  return words.sort((one, other) => one.y - other.y || one.x - other.x).map(({ word }) => word).join('')
})()`

describeDashboard(({ system, browser, visitor }) => {
  test('a new person gets the first summary with three clicks', async () => {
    const page = await browser.open()
    await visitor.join(page)
    await visitor.process(page, watchUrl(TALK.id))
    await page.getByRole('tabpanel').getByText('ocean', { exact: false }).first().waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(TALK.title)
  })

  test('a citation lights its line of the transcript, and the search counts what it finds', async () => {
    const { page } = await visitor.enter()
    await visitor.process(page, watchUrl(TALK.id))
    const citation = page
      .getByRole('tabpanel')
      .getByRole('button', { name: /^Go to/ })
      .last()
    await citation.click()
    await citation.and(page.locator('[aria-pressed=true]')).waitFor()
    const time = (await citation.textContent()) ?? ''
    await page.locator(`button[aria-current]:has-text("${time}")`).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ocean')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/^2 of \d+$/).waitFor()
  })

  test('a printed job has its whole transcript, and no navigation or buttons', async () => {
    const { page } = await visitor.enter()
    await visitor.process(page, watchUrl(TALK.id))
    const lines = page.getByRole('region', { name: 'Lines' }).getByRole('listitem')
    const total = Number(await lines.first().getAttribute('aria-setsize'))
    expect(await lines.count()).toBeLessThan(total)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await lines.nth(total - 1).waitFor()
    const isCut = `document.querySelector('[aria-label="Lines"]').scrollHeight > document.querySelector('[aria-label="Lines"]').clientHeight`
    expect(await page.evaluate(isCut)).toBe(false)
    for (const name of ['Jobs', 'Download', 'Copy as Markdown']) {
      expect([name, await page.getByText(name, { exact: true }).isVisible()]).toEqual([name, false])
    }
  })

  test('a title from right to left begins where the page does, and what follows the channel keeps its order', async () => {
    const { page } = await visitor.enter()
    const video = { ...TALK, id: system.addCopy(TALK).id, title: 'لماذا البحر مالح؟', author: 'محاضرات' }
    system.platform.addVideo(video)
    await visitor.process(page, watchUrl(video.id))
    const channel = page.getByRole('link', { name: video.author })
    const [title, link] = [page.getByRole('heading', { level: 1 }).locator('bdi'), channel.locator('bdi')]
    await title.getByText(video.title).waitFor()
    expect((await title.boundingBox())?.x).toBe((await link.boundingBox())?.x)
    expect(await page.evaluate(DESCRIPTION_AS_SHOWN)).toBe(await page.locator('h1 + p').textContent())
  })

  test('a page follows a job to its end, and shows the summary when it is written', async () => {
    const { page } = await visitor.enter()
    const { id } = system.addCopy(TALK)
    const release = system.platform.hold({ kind: 'timedtext', videoId: id })
    await visitor.process(page, watchUrl(id))
    await page.getByRole('progressbar').waitFor()
    await page.getByText('You can leave this page').waitFor()
    release()
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
  })

  test('a page resumes an event stream that breaks in the middle of a job', async () => {
    const { page } = await visitor.enter()
    const { id } = system.addCopy(TALK)
    const release = system.platform.hold({ kind: 'timedtext', videoId: id })
    let streams = 0
    await page.route('**/api/v1/videos/events/*', (route) => {
      streams++
      if (streams > 2) return route.continue()
      return streams === 1
        ? route.abort('connectionreset')
        : route.fulfill({ contentType: 'text/event-stream', body: 'retry: 1\n\nid: 1\nevent: prog' })
    })
    await visitor.process(page, watchUrl(id))
    await page.getByText('You can leave this page').waitFor()
    await waitUntil('the stream is opened again', () => streams > 2)
    release()
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
  })

  test('a summary is added at the price that the page has named', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await page.getByRole('button', { name: 'Add a summary' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a summary' })
    await dialog.getByRole('checkbox', { name: 'Key insights' }).check()
    const price = dialog.getByText(/^\$0\.\d+ to \$0\.\d+$/)
    const [low = 0, high = 0] = ((await price.textContent()) ?? '').match(/[\d.]+/g)?.map(Number) ?? []
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('tab', { name: 'Key insights' }).waitFor()
    const { data } = await client.get<{ total: { cost_usd: number } }>(
      `/videos/receipt/${new URL(page.url()).pathname.split('/')[2]}`,
    )
    expect(data.total.cost_usd).toBeGreaterThan(0)
    // The page rounds both to four decimals.
    expect(data.total.cost_usd).toBeGreaterThanOrEqual(low - 0.0001)
    expect(data.total.cost_usd).toBeLessThanOrEqual(high + 0.0001)
  })

  test('a summary is added in another language and with instructions, and replaces the one that is there', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await page.getByRole('button', { name: 'Add a summary' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a summary' })
    const tldr = dialog.getByRole('checkbox', { name: 'TL;DR' })
    expect(await tldr.isDisabled()).toBe(true)
    await dialog.getByRole('combobox', { name: 'Language of the summaries' }).selectOption({ label: 'German' })
    await dialog.getByLabel('Instructions').fill('Only the numbers.')
    await tldr.check()
    await dialog.getByText('Replaces the one you have').waitFor()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(job))
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
    const { data } = await client.get<{ jobs: { job_id: string }[] }>('/videos/')
    expect(data.jobs[0]).toMatchObject({
      derived_from: job,
      summary_modes: ['tldr'],
      output_language: 'de',
      custom_instructions: 'Only the numbers.',
    })
  })

  test('a transcript alone is chosen in the form, shown without summaries, and gets one when it is asked for', async () => {
    const { page, client } = await visitor.enter()
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').fill(watchUrl(TALK.id))
    await page.getByText('Transcript only').click()
    await page.getByRole('button', { name: 'Process video' }).click()
    const lines = page.getByRole('region', { name: 'Lines' }).getByRole('listitem')
    await lines.first().waitFor()
    const add = page.getByRole('button', { name: 'Add a summary' })
    await add.waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
    const alone = new URL(page.url()).pathname.split('/')[2]
    const { data } = await client.get<{ summaries: object; usage: { total_tokens: number } }>(`/videos/result/${alone}`)
    expect([data.summaries, data.usage.total_tokens]).toEqual([{}, 0])
    await add.click()
    const dialog = page.getByRole('dialog', { name: 'Add a summary' })
    await dialog.getByRole('checkbox', { name: 'TL;DR' }).check()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('tab', { name: 'TL;DR' }).waitFor()
    expect(new URL(page.url()).pathname.split('/')[2]).not.toBe(alone)
    await lines.first().waitFor()
  })

  test('an infographic is chosen in the form, and shown in words, in both themes, and as a file', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').fill(watchUrl(TALK.id))
    await page.getByText('Infographic').click()
    await page.getByRole('button', { name: 'Process video' }).click()
    const picture = page.getByRole('region', { name: 'Infographic' }).getByRole('img')
    await picture.scrollIntoViewIfNeeded()
    expect((await picture.getAttribute('alt'))?.length).toBeGreaterThan(100)
    for (const theme of ['light', 'dark']) {
      await page.getByRole('combobox', { name: 'Theme' }).selectOption(theme)
      await waitUntil(`the ${theme} picture is drawn`, async () => {
        return (
          (await picture.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)) === 1080
        )
      })
    }
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: /^PNG/ }).click()
    expect((await readFile(await (await saved).path())).subarray(1, 4).toString()).toBe('PNG')
  })

  test('every format of a result can be downloaded', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await page.getByRole('button', { name: 'Download' }).click()
    const items = page.getByRole('menuitem')
    await items.first().waitFor()
    const links = await items.evaluateAll((elements) => elements.map((element) => element.getAttribute('href') ?? ''))
    const responses = await Promise.all(links.map((link) => page.request.get(system.baseUrl + link)))
    expect(responses.map((response) => response.status())).toEqual(links.map(() => 200))
    const types = responses.map((response) => response.headers()['content-type']?.split(';')[0])
    const documents = RESULT_FORMATS.map((format) => FORMATS[format].mediaType)
    expect(types.sort()).toEqual(['application/pdf', ...documents].sort())
  })

  test('the library is exported in every format of documents, and a batch too', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    const videos = [{ url: watchUrl(TALK.id) }, { url: watchUrl(SAMPLE_TALKS.hindi.id) }]
    const { data } = await client.post<{ batch_id: string; jobs: { job_id: string }[] }>('/batch/process', { videos })
    for (const { job_id } of data.jobs) await client.follow(job_id)
    const pages = [
      { path: '/jobs', button: 'Export library' },
      { path: `/batches/${data.batch_id}`, button: 'Export' },
    ]
    for (const { path, button } of pages) {
      await visitor.visit(page, path)
      await page.getByRole('button', { name: button }).click()
      const items = page.getByRole('menuitem')
      await items.first().waitFor()
      const links = await items.evaluateAll((elements) => elements.map((element) => element.getAttribute('href') ?? ''))
      expect(links).toHaveLength(DOCUMENT_FORMATS.length)
      for (const link of links) {
        const response = await page.request.get(system.baseUrl + link)
        const type = link.endsWith('chunks') ? 'application/x-ndjson' : 'application/zip'
        expect([response.status(), response.headers()['content-type']]).toEqual([200, type])
      }
    }
  })

  test('five files are downloaded with six clicks', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl(TALK.id) })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await page.getByRole('button', { name: 'Download' }).click()
    for (const name of ['PDF', 'Markdown', 'Web page', 'JSON', 'CSV']) {
      const saved = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click()
      expect((await (await saved).failure()) ?? name).toBe(name)
    }
  })

  test('a failed job that may succeed later offers to process the video again', async () => {
    const { page, client } = await visitor.enter()
    const job = await client.submit({ url: watchUrl('sbtx-x-noca') })
    await client.follow(job)
    await visitor.visit(page, `/jobs/${job}`)
    await page.getByRole('link', { name: 'Process another video' }).waitFor()
    expect(await page.getByRole('link', { name: 'Process it again' }).count()).toBe(0)
    await page.route('**/api/v1/videos/status/*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const error = { code: 'UPSTREAM_UNAVAILABLE', message: 'The `platform` is away.', retryable: true }
      await route.fulfill({ response, json: { ...rest, data: { ...data, error } } })
    })
    await page.reload()
    await page.getByRole('alert').locator('code', { hasText: 'platform' }).waitFor()
    await page.getByRole('link', { name: 'Process it again' }).click()
    await page.getByRole('heading', { name: 'Process a video' }).waitFor()
    expect(await page.getByLabel('Video URL').inputValue()).toContain('sbtx-x-noca')
  })

  test('a URL that is not that of a video is explained in the words of the form', async () => {
    const { page } = await visitor.enter()
    await visitor.process(page, 'https://example.org/watch?v=sbtx-en-map')
    await page.getByRole('alert').getByText('This is not a YouTube video URL.').waitFor()
    await visitor.visit(page, '/batches')
    await page.getByRole('button', { name: 'New batch' }).click()
    await page.getByLabel('Video URLs').fill(`${watchUrl(TALK.id)}\nhttps://example.org/two`)
    await page.getByRole('button', { name: 'Submit 2 videos' }).click()
    await page.getByRole('alert').getByText('URL 2 in your list is not a YouTube video URL.').waitFor()
  })
})
