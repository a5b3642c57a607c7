import { SAMPLE_TALKS, SAMPLE_VIDEOS, type SampleListEntry } from '@subtext/fakes'
import type { Page } from 'playwright-core'
import { listEntryOf } from './list-entry.ts'
import { describeDashboard } from './use-dashboard.ts'

const { english, german, japanese } = SAMPLE_TALKS
const CHANNEL = { id: 'UCdashboardfollowed00000', name: 'Talks about the sea', names: ['@dashboard-followed'] }
const HOUR_MS = 3_600_000

/** Gives the entries of a list times of publication, the first one the latest. */
const dated = (entries: SampleListEntry[]): SampleListEntry[] =>
  entries.map((entry, index) => ({ ...entry, published: new Date(Date.now() - (index + 1) * HOUR_MS).toISOString() }))

const rowOf = (page: Page, title: string) =>
  page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: title }).first()

/** Opens the form for a new subscription, and names the source. */
async function nameSource(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: 'New subscription' }).click()
  await page.getByLabel('Playlist, channel or podcast').fill(url)
}

describeDashboard(({ system, visitor }) => {
  beforeAll(() => {
    system.platform.addChannel({
      ...CHANNEL,
      entries: dated([
        listEntryOf(english),
        { ...listEntryOf(SAMPLE_VIDEOS.membersOnly), forMembers: true },
        { ...listEntryOf(german), kind: 'short' },
        listEntryOf(japanese),
      ]),
    })
  })

  test('someone follows a channel, reads what became of each video, and opens a moment at which a word was said', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/subscriptions')
    await page.getByText('No subscriptions yet').waitFor()
    await nameSource(page, '@dashboard-followed')
    await page.getByLabel('Videos that exist already').selectOption({ label: 'The newest 5' })
    await page.getByText('Only some videos').click()
    await page.getByText('Videos', { exact: true }).click()
    await page.getByText('Watch for words').click()
    await page.getByLabel('Words and phrases').fill('ocean\nnever said anywhere')
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByRole('heading', { name: CHANNEL.name }).waitFor()
    await page.getByText('only videos', { exact: true }).waitFor()
    const talk = rowOf(page, english.title)
    await talk.getByText('processed', { exact: true }).waitFor()
    await rowOf(page, german.title).getByText('The filter leaves out videos of this type.').waitFor()
    await rowOf(page, SAMPLE_VIDEOS.membersOnly.title).getByText('Only members of the channel can watch it.').waitFor()
    await page.getByLabel('State').selectOption('skipped')
    await talk.waitFor({ state: 'detached' })
    await page.getByLabel('State').selectOption('processed')
    await talk
      .getByRole('link', { name: /^\d+:\d\d.*ocean/i })
      .first()
      .click()
    await page.waitForURL(/\/jobs\/[-\w]+#t=\d/)
    await page.getByRole('heading', { name: english.title }).waitFor()
  })

  test('a video that was skipped is taken anyway, and a check finds what was published since', async () => {
    const { page, client } = await visitor.enter()
    const channel = { id: 'UCdashboardchecked000000', name: 'Checked talks', names: ['@dashboard-checked'] }
    system.platform.addChannel({ ...channel, entries: dated([listEntryOf(german)]) })
    await visitor.visit(page, '/subscriptions')
    await nameSource(page, '@dashboard-checked')
    await page.getByLabel('Only tell me').check()
    await page.getByLabel('Videos that exist already').selectOption({ label: 'None' })
    await page.getByRole('button', { name: 'Follow' }).click()
    const old = rowOf(page, german.title)
    await old.getByText('It was published before you followed the source.').waitFor()
    await old.getByRole('button', { name: 'Take it anyway' }).click()
    await old.getByText('notified', { exact: true }).waitFor()
    system.platform.addChannel({ ...channel, entries: dated([listEntryOf(japanese), listEntryOf(german)]) })
    await page.getByRole('button', { name: 'Check now' }).click()
    await rowOf(page, japanese.title).getByText('notified', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Checks' }).click()
    await page.getByText('Whole list, because you asked for it').waitFor()
    await page.getByText('1 new among 2 videos').waitFor()
    expect((await client.get<{ jobs: unknown[] }>('/videos/')).data.jobs).toEqual([])
  })

  test('a subscription is edited, paused, resumed and deleted', async () => {
    const { page, client } = await visitor.enter()
    const list = async () =>
      (await client.get<{ subscriptions: Record<string, unknown>[] }>('/subscriptions/')).data.subscriptions
    await client.post('/subscriptions', { url: '@dashboard-followed', action: 'notify', max_per_day: 3 })
    await visitor.visit(page, '/subscriptions')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused', { exact: true }).waitFor()
    await page.getByRole('link', { name: CHANNEL.name }).click()
    await page.getByText(/it handles the videos that were published in the meantime/).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('active', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('At most per day').fill('')
    await page.getByText('Tell me', { exact: true }).click()
    const webhook_url = `${system.receiver.origin}/chat`
    await page.getByLabel('Webhook URL').fill(webhook_url)
    await page.getByLabel('What is sent there').selectOption('discord')
    await page.getByLabel('Emails').selectOption('weekly')
    await page.getByText('At 07:00 in UTC').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/Discord at .*, a weekly digest/).waitFor()
    const [changed] = await list()
    expect(changed).toMatchObject({
      action: 'notify',
      status: 'active',
      deliver: { webhook_url, format: 'discord', email: 'weekly' },
    })
    expect(changed).not.toHaveProperty('max_per_day')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No subscriptions yet').waitFor()
    expect(await list()).toEqual([])
  })

  test('the addresses of a feed are shown once and work until it is ended', async () => {
    const { page } = await visitor.enter()
    await visitor.visit(page, '/subscriptions')
    await page.getByRole('button', { name: 'Create feed' }).click()
    await page.getByLabel('Name').fill('Everything')
    await page.getByRole('dialog').getByRole('button', { name: 'Create feed' }).click()
    const address = await page.getByLabel('Atom').inputValue()
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address)
    expect(await (await fetch(address)).text()).toContain('<title>Everything</title>')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('All your videos', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'End' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await page.getByText('No feeds yet.').waitFor()
    expect((await fetch(address)).status).toBe(404)
  })

  test('a source is followed from its page, which then leads to the subscription', async () => {
    const { page, client } = await visitor.enter()
    const source = await client.post<{ source_id: string }>('/sources', { url: '@dashboard-followed' })
    const path = `/sources/${source.data.source_id}`
    await visitor.visit(page, path)
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByLabel('Only tell me').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Follow' }).click()
    await page.getByText('Reports new videos').waitFor()
    await visitor.visit(page, path)
    await page.getByRole('link', { name: 'Following' }).waitFor()
    await page.getByRole('button', { name: 'Feeds' }).click()
    await page.getByRole('button', { name: 'Create feed' }).click()
    await page.getByRole('dialog', { name: 'Create a feed' }).getByRole('button', { name: 'Create feed' }).click()
    await page.getByLabel('JSON Feed').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Feed without a name').waitFor()
  })

  test('a plan without subscriptions says what they are, and which plan has them', async () => {
    const { page, client } = await visitor.enter({ plan: 'plus' })
    const source = await client.post<{ source_id: string }>('/sources', { url: '@dashboard-followed' })
    await visitor.visit(page, `/sources/${source.data.source_id}`)
    await page.getByRole('link', { name: 'Follow' }).click()
    await page.getByText('Subscriptions are part of the Pro plan').waitFor()
    expect(await page.getByRole('button', { name: 'New subscription' }).count()).toBe(0)
  })
})
