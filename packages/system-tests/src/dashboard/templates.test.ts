import { SAMPLE_TALKS } from '@subtext/fakes'
import { describeDashboard } from './use-dashboard.ts'

const TALK = SAMPLE_TALKS.english
const SCHEMA = {
  type: 'object',
  properties: {
    points: {
      type: 'array',
      items: { type: 'object', properties: { point: { type: 'string' } }, required: ['point'] },
    },
  },
  required: ['points'],
}

describeDashboard(({ visitor }) => {
  test('a template is created, tried on a video, changed to a further version and deleted', async () => {
    const { page, client } = await visitor.enter()
    await client.follow(await client.submit({ url: TALK.id, options: { summary_modes: [] } }))
    await visitor.visit(page, '/templates')
    await page.getByText('No templates yet').waitFor()
    await page.getByRole('link', { name: 'New template' }).click()
    await page.getByLabel('Name').fill('points')
    await page.getByLabel('Schema').fill('{ "type": ')
    await page.getByText(/^Is not JSON/).waitFor()
    expect(await page.getByRole('button', { name: 'Create template' }).isDisabled()).toBe(true)
    await page.getByLabel('Schema').fill(JSON.stringify({ ...SCHEMA, oneOf: [] }))
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByRole('alert').getByText('schema.oneOf').waitFor()
    await page.getByLabel('Schema').fill(JSON.stringify(SCHEMA, null, 2))
    await page.getByText('Point: text').waitFor()
    await page.getByRole('button', { name: 'Create template' }).click()

    await page.getByRole('heading', { name: 'points', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Fill template' }).click()
    const tester = page.getByRole('region', { name: 'Try it on a video' })
    await tester.getByText('points@1, filled by').waitFor()
    const [{ job_id: derived } = { job_id: '' }] = (await client.get<{ jobs: { job_id: string }[] }>('/videos/')).data
      .jobs
    const { data } = await client.get<{ extractions: { points: { data: { points: { point: string }[] } } } }>(
      `/videos/result/${derived}`,
    )
    const [first] = data.extractions.points.data.points
    expect(first?.point).toBeTruthy()
    await tester.getByText(first?.point ?? '').waitFor()

    await page.getByLabel('Description').fill('What is said')
    await page.getByRole('button', { name: 'Save as version 2' }).click()
    await page.getByText('Version 2 of 2').waitFor()
    await page.getByLabel('Version').selectOption('1')
    await page.getByText('An earlier version. The latest is 2.').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('')

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No templates yet').waitFor()
  })

  test('templates are chosen with a video, shown with their moments on its page, and added to it later', async () => {
    const { page, client } = await visitor.enter()
    await client.post('/templates', { name: 'points', schema: SCHEMA })
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').fill(TALK.id)
    await page.getByText('Chapters').click()
    await page.getByText('points', { exact: true }).click()
    await page.getByRole('button', { name: 'Process video' }).click()
    const tabs = page.getByRole('tablist', { name: 'Templates' })
    await tabs.getByRole('tab', { name: 'points' }).click()
    const filled = page.getByRole('tabpanel', { name: 'points' })
    await filled.getByText('points@1, filled by').waitFor()
    const moment = filled.getByRole('button', { name: /^Go to/ }).first()
    await moment.click()
    expect(await moment.getAttribute('aria-pressed')).toBe('true')

    await page.getByRole('button', { name: 'Add a summary' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Quotes').click()
    expect(await dialog.getByText('Chapters').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('tab', { name: 'Quotes' }).waitFor()
    expect(await tabs.getByRole('tab').count()).toBe(3)
  })

  test('a plan without templates says which one has them', async () => {
    const { page } = await visitor.enter({ plan: 'plus' })
    await visitor.visit(page, '/templates')
    await page.getByText('Templates of your own are part of the Pro plan').waitFor()
    await visitor.visit(page, '/')
    await page.getByText('Action items').waitFor()
    const { page: free } = await visitor.enter({ plan: 'free' })
    await visitor.visit(free, '/')
    await free.getByText('are part of the Plus plan').waitFor()
  })
})
