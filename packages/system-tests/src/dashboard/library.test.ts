import { readFile } from 'node:fs/promises'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { type Client, watchUrl } from '@subtext/testbed'
import type { Page } from 'playwright-core'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english

interface Line {
  start: number
  text: string
}

describeDashboard(({ system, visitor }) => {
  const process = async (client: Client, url = watchUrl(TALK.id)): Promise<string> => {
    const job = await client.submit({ url })
    await client.follow(job)
    return job
  }
  const linesOf = async (client: Client, job: string): Promise<Line[]> =>
    (await client.get<{ transcript: { segments: Line[] } }>(`/videos/result/${job}?format=json`)).data.transcript
      .segments
  const field = (page: Page) => page.getByRole('searchbox', { name: 'Search your library' })
  const rows = (page: Page) => page.getByRole('main').getByRole('listitem')

  test('a sentence is found from any page with the key /, and its hit opens the job at its line', async () => {
    const { page, client } = await visitor.enter()
    const job = await process(client)
    const line = (await linesOf(client, job))[25]
    const words = line?.text.match(/[\p{L}]{3,}/gu)?.slice(0, 3) ?? []
    await visitor.visit(page, '/usage')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await field(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(`"${words.join(' ')}"`)
    const hit = page
      .getByRole('main')
      .getByRole('link')
      .filter({ has: page.locator('mark') })
    await hit.first().waitFor()
    expect(await hit.first().locator('mark').allTextContents()).not.toEqual([])
    expect(new URL(page.url()).searchParams.get('q')).toContain(words[0])
    await hit.first().click()
    await page.locator('button[aria-current="true"]', { hasText: line?.text ?? '' }).waitFor()
    // The search is there again when one goes back.
    await page.goBack()
    await hit.first().waitFor()
    expect(await field(page).inputValue()).toContain(words[0])
  })

  test('a search that has nothing to look for says why, and one without hits what to do', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/search')
    await field(page).fill('-word')
    await page.getByText('must have a word to look for', { exact: false }).waitFor()
    await field(page).fill('word nobody says')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  })

  test('all jobs are searched, beyond those that are shown', async () => {
    const { page, client } = await visitor.enter()
    const wanted = system.addCopy(TALK).id
    await process(client, watchUrl(wanted))
    await process(client)
    await visitor.visit(page, '/jobs')
    await rows(page).nth(1).waitFor()
    await page.getByRole('searchbox', { name: 'Search jobs' }).fill(wanted)
    await page.getByText('1 job matches.').waitFor()
    expect(await rows(page).count()).toBe(1)
  })

  test('selected jobs are saved in one archive', async () => {
    const { page, client } = await visitor.enter()
    for (let nth = 0; nth < 3; nth++) await process(client, watchUrl(system.addCopy(TALK).id))
    await visitor.visit(page, '/jobs')
    const boxes = rows(page).getByRole('checkbox', { name: /^Select / })
    await boxes.nth(2).waitFor()
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Markdown' }).click()
    const archive = await readFile(await (await download).path())
    // Each file has an entry in the directory of the archive.
    expect(archive.toString('latin1').split('PK\u0001\u0002')).toHaveLength(3)
  })

  test('selected jobs are deleted after a question, and one is processed again with other summaries', async () => {
    const { page, client } = await visitor.enter()
    const kept = await process(client, watchUrl(system.addCopy(TALK).id))
    const gone = await process(client)
    await visitor.visit(page, '/jobs')
    const boxes = rows(page).getByRole('checkbox', { name: /^Select / })
    await boxes.nth(1).waitFor()
    await boxes.first().check()
    await page.getByText('1 selected').waitFor()
    await page.getByRole('link', { name: 'Process again' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 1 job?' })
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    expect((await client.get<{ status: string }>(`/videos/status/${gone}`)).data.status).toBe('completed')
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await boxes.nth(1).waitFor({ state: 'detached' })
    expect((await client.get<unknown>(`/videos/status/${gone}`)).status).toBe(404)
    await boxes.first().check()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Markdown' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.md$/)
    // The menu stays open, for further formats.
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Process again' }).click()
    await page.getByLabel('Video URL').waitFor()
    expect(await page.getByLabel('Video URL').inputValue()).toContain('watch?v=')
    expect(kept).not.toBe(gone)
  })
})
