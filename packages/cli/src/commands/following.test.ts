import { data, failure, useTestService } from '@subtext/sdk/testing'
import { runCli } from '../testing/run-cli.ts'

const serve = useTestService()
const NO_MORE = { limit: 100, has_more: false, next_cursor: null }
const SOURCE = { source_id: 's1', status: 'ready', title: 'A channel', videos_total: 2 }
const video = (changes: object) => ({
  video_url: 'https://www.youtube.com/watch?v=a',
  type: 'video',
  title: 'First\nline',
  state: 'listed',
  ...changes,
})

test('lists the videos of a source with what has become of them', async () => {
  const videos = [
    video({ job_status: 'completed' }),
    video({ state: 'unavailable', reason: 'members_only' }),
    video({}),
  ]
  const service = await serve(data(SOURCE), data({ videos, pagination: NO_MORE }))
  const { code, stdout, stderr } = await runCli(['videos', '@somebody', '--not-processed', '-n', '2'], {
    apiKey: 'sk_x',
    baseUrl: service.url,
  })
  expect([code, stderr]).toEqual([0, expect.stringContaining('A channel: 2 videos  s1')])
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringContaining('completed'),
    expect.stringContaining('members only'),
  ])
  expect(service.requests[1]?.url).toContain('not_processed=true')
})

test('says why a source cannot be listed', async () => {
  const error = { code: 'SOURCE_UNAVAILABLE', message: 'The source does not exist.', retryable: false }
  const service = await serve(data({ ...SOURCE, status: 'failed', error }))
  const { code, stdout, stderr } = await runCli(['videos', 'PLnothing'], { apiKey: 'sk_x', baseUrl: service.url })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('The source does not exist. (SOURCE_UNAVAILABLE)')
})

test('follows a source with what was asked for, and prints the subscription', async () => {
  const service = await serve(data({ subscription_id: 'b1', source_url: 'https://www.youtube.com/@somebody' }))
  const args = [
    'watch',
    '@somebody',
    '--mode',
    'tldr, detailed',
    '--match',
    'bridge',
    '--catch-up',
    '2',
    '--email',
    'daily',
  ]
  const { code, stdout } = await runCli(args, { apiKey: 'sk_x', baseUrl: service.url })
  expect([code, stdout]).toEqual([0, 'b1\n'])
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
    url: '@somebody',
    action: 'process',
    options: { summary_modes: ['tldr', 'detailed'] },
    match: { any: ['bridge'] },
    catch_up: 2,
    deliver: { email: 'daily' },
  })
})

test('pauses a subscription, and prints its items with their reasons', async () => {
  const subscription = {
    subscription_id: 'b1',
    action: 'process',
    status: 'paused',
    reason: 'plan',
    source_title: 'A channel',
  }
  const items = [
    { video_url: 'https://www.youtube.com/watch?v=a', state: 'skipped', reason: 'title_excludes', title: 'One' },
  ]
  const service = await serve(data(subscription), data(subscription), data({ items, pagination: NO_MORE }))
  const { code, stdout, stderr } = await runCli(['subscriptions', 'b1', '--pause'], {
    apiKey: 'sk_x',
    baseUrl: service.url,
  })
  expect([code, stderr]).toEqual([0, expect.stringContaining('paused (plan)')])
  expect(stdout).toMatch(/watch\?v=a\s+skipped\s+title excludes\s+One/)
  expect(service.requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/subscriptions/b1/pause' })
})

test('fails for a subscription that does not exist', async () => {
  const service = await serve(failure(404, 'NOT_FOUND', false))
  const { code, stderr } = await runCli(['subscriptions', 'b1'], { apiKey: 'sk_x', baseUrl: service.url })
  expect([code, stderr]).toEqual([1, expect.stringContaining('(NOT_FOUND)')])
})
