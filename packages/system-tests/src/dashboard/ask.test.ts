import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english

describeDashboard(({ system, visitor }) => {
  test('a batch has a digest with files, and its videos are asked at once, to the line', async () => {
    const { page, client } = await visitor.enter()
    const urls = [TALK.id, system.addCopy(TALK).id].map(watchUrl)
    const { data } = await client.post<{ batch_id: string }>('/batch/process', {
      videos: urls.map((url) => ({ url, options: { summary_modes: ['tldr', 'key_insights'] } })),
    })
    await visitor.visit(page, `/batches/${data.batch_id}`)
    const digest = page.getByRole('region', { name: 'Digest' })
    await digest.getByRole('button', { name: 'Make a digest' }).click()
    await digest.getByText(/\d+ of \d+ points from 2 videos/).waitFor()
    const moment = digest.getByRole('listitem').getByRole('link').first()
    expect(await moment.getAttribute('href')).toMatch(/^\/jobs\/[0-9a-f-]{36}#t=\d/)
    await digest.getByRole('button', { name: 'Download digest' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /Markdown/ }).click()
    expect((await saved).url()).toContain('/digests/')
    await page.keyboard.press('Escape')

    await digest.getByRole('link', { name: 'Ask these videos' }).click()
    await page.getByRole('heading', { name: 'Ask', level: 1 }).waitFor()
    await page.getByLabel('Ask a question').fill('Where was Tharp born?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const cited = page.getByRole('log').getByRole('link').first()
    await cited.waitFor()
    // The answer is complete.
    await page.getByRole('button', { name: 'New conversation' }).waitFor()
    await cited.click()
    await page.locator('button[aria-current="true"]').first().waitFor()
  })
})
