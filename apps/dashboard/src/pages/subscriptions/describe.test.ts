import type { Subscription, SubscriptionItem } from '@subtext/sdk'
import { describeAction, describeMethod, explainItem } from './describe.ts'

const ITEM: SubscriptionItem = {
  video_id: 'v',
  video_url: 'https://www.youtube.com/watch?v=v',
  title: 'A talk',
  type: 'video',
  state: 'skipped',
  first_seen_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
}

describe('why an item is in its state', () => {
  test('is explained by the state, because a reason can mean one thing while it waits and another after it has failed', () => {
    const explain = (state: 'waiting' | 'failed') => explainItem({ ...ITEM, state, reason: 'platform' })
    expect(explain('waiting')).toBe('The video platform does not answer.')
    expect(explain('failed')).toBe('The video platform did not answer, even after several tries.')
  })

  test('is the name of the reason where this release does not know it, and nothing without one', () => {
    expect(explainItem({ ...ITEM, state: 'failed', reason: 'of_a_later_release' })).toBe('Of a later release.')
    expect(explainItem({ ...ITEM, state: 'processed' })).toBeNull()
  })
})

test.each([
  [{ method: 'rss' }, 'Feed of the channel'],
  [{ method: 'listing', reason: 'daily' }, 'Whole list, as once a day'],
  [{ method: 'listing', reason: 'new_reason' }, 'Whole list, new reason'],
  [{ method: 'listing' }, 'Whole list'],
] as const)('the check %j is described as %s', (check, text) => {
  expect(describeMethod({ ...check, checked_at: ITEM.updated_at, outcome: 'ok' })).toBe(text)
})

test.each([
  [{ summary_modes: ['tldr'], templates: ['chapters'], output_language: 'de' }, 'TL;DR, Chapters, in German'],
  [{ summary_modes: [], templates: ['recipe'] }, 'recipe'],
  [{ summary_modes: [], generate_infographic: false }, 'Transcript only'],
])('what %j makes of new videos is described as %s', (options, text) => {
  const subscription = { action: 'process', options } as Subscription
  expect(describeAction(subscription)).toBe(`Processes new videos: ${text}`)
})
