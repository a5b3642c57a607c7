import { SAMPLE_TALKS, SAMPLE_VIDEOS } from '@subtext/fakes'
import { listEntryOf } from './list-entry.ts'
import { describeDashboard } from './use-dashboard.ts'

const PLAYLIST = 'PLdashboard001'
const URL = `https://www.youtube.com/playlist?list=${PLAYLIST}`

describeDashboard(({ system, visitor }) => {
  beforeAll(() => {
    const { english, german, japanese, korean } = SAMPLE_TALKS
    system.platform.addPlaylist({
      id: PLAYLIST,
      title: 'Talks about things that were made',
      owner: 'Somebody',
      entries: [
        ...[english, german, japanese, korean].map(listEntryOf),
        { ...listEntryOf(SAMPLE_VIDEOS.membersOnly), forMembers: true },
        { ...listEntryOf(SAMPLE_VIDEOS.private), gone: 'private' },
      ],
    })
  })

  test('a playlist that is pasted as a video is offered to be listed, and a selection of it is processed', async () => {
    const { page, client } = await visitor.enter()
    await client.follow(await client.submit({ url: SAMPLE_TALKS.german.id }))
    await visitor.visit(page, '/')
    await page.getByLabel('Video URL').fill(URL)
    await page.getByRole('button', { name: 'Process video' }).click()
    await page.getByText('This is a playlist or a channel, not a video.').waitFor()
    await page.getByRole('link', { name: 'List its videos' }).click()
    await page.getByRole('button', { name: 'List videos' }).click()
    await page.getByRole('heading', { name: 'Talks about things that were made' }).waitFor()
    const rows = page.getByRole('main').getByRole('listitem')
    await rows.nth(5).waitFor()
    await rows.nth(1).getByRole('link', { name: 'Completed' }).waitFor()
    await rows.nth(4).getByText('For members', { exact: true }).waitFor()
    expect(await rows.nth(4).getByRole('checkbox').isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Select all unprocessed' }).click()
    await page.getByText('3 selected').waitFor()
    await rows.nth(3).getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Process', exact: true }).click()
    await page.getByRole('button', { name: 'Process 2 videos' }).click()
    await page.getByRole('heading', { name: 'Batch of 2 videos' }).waitFor()
    const { data } = await client.get<{ jobs: { video_id: string }[] }>('/videos/')
    const processed = data.jobs.map(({ video_id }) => video_id).sort()
    expect(processed).toEqual(
      [SAMPLE_TALKS.english, SAMPLE_TALKS.german, SAMPLE_TALKS.japanese].map(({ id }) => id).sort(),
    )
  })

  test('what is left is shown alone, and a source that does not exist says so', async () => {
    const { page, client } = await visitor.enter()
    await client.follow(await client.submit({ url: SAMPLE_TALKS.english.id }))
    await visitor.visit(page, `/sources?url=${PLAYLIST}`)
    await page.getByRole('button', { name: 'List videos' }).click()
    const rows = page.getByRole('main').getByRole('listitem')
    await rows.nth(5).waitFor()
    await page.getByText('Not processed yet').click()
    await page.getByText(SAMPLE_TALKS.english.title).waitFor({ state: 'detached' })
    await rows.nth(4).waitFor()
    expect(await rows.count()).toBe(5)
    await visitor.visit(page, '/sources')
    await page.getByText('Talks about things that were made').waitFor()
    await page.getByLabel('Playlist, channel or podcast').fill('@nobody-here')
    await page.getByRole('button', { name: 'List videos' }).click()
    // Once: the second one would be ambiguous.
    await page.getByText('The source does not exist.').waitFor()
  })
})
