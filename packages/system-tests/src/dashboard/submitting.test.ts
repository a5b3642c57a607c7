import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english
/** Of a free account, by default. */
const VIDEOS_PER_DAY = 3

describeDashboard(({ system, visitor }) => {
  test('modes, language, instructions, a reference and an infographic are chosen in the form, and shown with the job', async () => {
    const { page, client } = await visitor.enter()
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').fill(watchUrl(TALK.id))
    for (const chip of ['Key insights', 'Infographic']) await page.getByText(chip, { exact: true }).click()
    await page.getByRole('combobox', { name: 'Language of the summaries' }).selectOption({ label: 'German' })
    await page.getByRole('textbox', { name: 'Instructions' }).fill('What is said about money.\n')
    await page.getByRole('textbox', { name: 'Reference' }).fill('order-1042')
    await page.getByRole('button', { name: 'Process video' }).click()
    await page.getByRole('tab', { name: 'Key insights' }).waitFor()
    const description = page.locator('h1 + p')
    for (const fact of ['Infographic', 'in German', '“What is said about money.”', 'order-1042', 'Submitted']) {
      await description.getByText(fact).waitFor()
    }
    const job = new URL(page.url()).pathname.split('/')[2]
    expect((await client.get(`/videos/status/${job}`)).data).toMatchObject({
      summary_modes: ['tldr', 'key_insights'],
      generate_infographic: true,
      output_language: 'de',
      custom_instructions: 'What is said about money.',
      client_reference: 'order-1042',
    })
  })

  test('the form of a plan without instructions says which plan has them, and a transcript alone needs no language', async () => {
    const { page } = await visitor.enter({ plan: 'plus' })
    await visitor.visit(page, '/')
    await page.getByText('Instructions for the summaries are part of the Pro plan.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Instructions' }).count()).toBe(0)
    await page.getByText('Transcript only').click()
    await page.getByRole('combobox', { name: 'Language of the summaries' }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Reference' }).waitFor()
  })

  test('a batch takes the language of the summaries', async () => {
    const { page, client } = await visitor.enter()
    await visitor.visit(page, '/batches')
    await page.getByRole('button', { name: 'New batch' }).click()
    await page.getByLabel('Video URLs').fill(watchUrl(TALK.id))
    await page.getByRole('combobox', { name: 'Language of the summaries' }).selectOption({ label: 'Spanish' })
    await page.getByRole('button', { name: 'Submit 1 video' }).click()
    await page.getByRole('heading', { name: 'Batch of 1 video' }).waitFor()
    const { data } = await client.get<{ jobs: object[] }>('/videos/')
    expect(data.jobs[0]).toMatchObject({ summary_modes: ['tldr'], output_language: 'es' })
  })

  test('jobs of the same video are told apart in the list by what was asked for', async () => {
    const { page, client } = await visitor.enter()
    const url = watchUrl(TALK.id)
    const first = await client.submit({ url, client_reference: 'order-1042' })
    await client.follow(first)
    const options = { summary_modes: ['detailed', 'study_notes'], output_language: 'de', language: 'en' }
    await client.follow(await client.submit({ url, options, custom_instructions: 'Only the numbers.' }))
    const derived = await client.post<{ job_id: string }>(`/videos/derive/${first}`, {
      summary_modes: ['key_insights'],
    })
    await client.follow(derived.data.job_id)
    await visitor.visit(page, '/jobs')
    const rows = page.getByRole('main').getByRole('listitem')
    await rows.getByText('Completed').nth(2).waitFor()
    const facts = await rows.evaluateAll((elements) =>
      elements.map((element) =>
        element.querySelector('time')?.previousElementSibling?.textContent?.replace(/ · youtube.*/, ''),
      ),
    )
    expect(facts).toEqual([
      'Added: Key insights · order-1042',
      'Detailed, Study notes · in German · captions in English · “Only the numbers.”',
      'TL;DR · order-1042',
    ])
  })

  test('a quota that is used up says when it resets, in the time zone of the reader', async () => {
    const { page, client } = await visitor.enter({ plan: 'free' })
    for (let videos = 0; videos < VIDEOS_PER_DAY; videos++) {
      await client.follow(await client.submit({ url: watchUrl(system.addCopy(TALK).id) }))
    }
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' })
    await visitor.process(page, watchUrl(TALK.id))
    // Quotas reset at midnight in UTC.
    await page
      .getByRole('alert')
      .getByText(/It resets at .+ 5:30 AM GMT\+5:30\./)
      .waitFor()
  })
})
