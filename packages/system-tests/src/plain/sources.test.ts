import { runCli } from '@subtext/cli/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { Subtext } from '@subtext/sdk'
import { useClient } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const system = usePlainSystem({ SAMPLE_VIDEOS: 'true' })
const client = useClient(system)
const connect = (): Subtext => new Subtext({ apiKey: client.key, baseUrl: system.baseUrl })

const PLAYLIST = 'https://www.youtube.com/playlist?list=PLsbtx-lectures'
const TALKS = Object.values(SAMPLE_TALKS).map(({ id }) => id)

test('lists the sample playlist, processes a selection of it, and shows what has become of it', async () => {
  const { sources, batches, library } = connect()
  const asked = await sources.ask(PLAYLIST)
  const { source_id, ...source } = await sources.waitFor(asked.source_id)
  expect(source).toMatchObject({ kind: 'playlist', title: 'Sample lectures', status: 'ready', videos_total: 9 })
  const listed: string[] = []
  for await (const { video_id } of sources.videos(source_id, { limit: 4 })) listed.push(video_id)
  expect(listed).toEqual(TALKS)

  const chosen = TALKS.slice(1, 3)
  const batch = await batches.submit({
    source: { source_id, select: { video_ids: chosen } },
    options: { summary_modes: ['tldr'] },
  })
  expect(batch).toMatchObject({ source_id, selected: 2, remaining: 0 })
  expect(await batches.waitFor(batch.batch_id)).toMatchObject({ status: 'completed' })
  const { items } = await sources.videos(source_id).page()
  expect(items.filter(({ job_status }) => job_status === 'completed').map(({ video_id }) => video_id)).toEqual(chosen)
  const rest = await sources.videos(source_id, { notProcessed: true }).page()
  expect(rest.items).toHaveLength(TALKS.length - 2)
  const { pagination } = await library.search('la', { sourceId: source_id, kind: 'question' }).page()
  expect(pagination.has_more).toBe(false)
})

test('follows the sample channel, which publishes a video every minute', async () => {
  const { sources, videos } = connect()
  const asked = await sources.ask('@sbtx-lectures')
  const source = await sources.waitFor(asked.source_id)
  expect(source).toMatchObject({ kind: 'channel', title: 'Sample Lectures', status: 'ready', videos_total: 120 })
  const { items } = await sources.videos(source.source_id).page()
  expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['video', 'short', 'live']))
  const [newest] = items
  const result = await videos.process({ url: newest?.video_url ?? '', options: { summary_modes: [] } })
  expect(result.video_info.title).toBe(newest?.title)
  const newer = await sources.videos(source.source_id, { sinceVideoId: items[2]?.video_id }).page()
  expect(newer.items.map(({ position }) => position)).toEqual([1, 2])
  expect(await sources.delete(source.source_id)).toBeUndefined()
})

test('the command line lists a playlist, and says why a channel cannot be listed', async () => {
  const run = (args: string[]) => runCli(args, { apiKey: client.key, baseUrl: system.baseUrl })
  const { code, stdout, stderr } = await run(['videos', PLAYLIST, '--limit', '3'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('Sample lectures: 9 videos')])
  expect(stdout.trim().split('\n')).toHaveLength(3)
  expect(await run(['videos', '@sbtx-nobody'])).toMatchObject({ code: 1, stdout: '' })
})
