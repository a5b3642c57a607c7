import type { SubscriptionFilter } from '@subtext/contracts'
import { awaitsLength, type FilteredVideo, findBrokenRule } from './filter.ts'

const video = (changes: Partial<FilteredVideo> = {}): FilteredVideo => ({
  title: 'Bridges of İstanbul',
  type: 'video',
  durationSeconds: 600,
  ...changes,
})

test.each<[SubscriptionFilter, Partial<FilteredVideo>, string | null]>([
  [{}, {}, null],
  [{ types: ['short', 'video'] }, {}, null],
  [{ types: ['short'] }, {}, 'types'],
  [{ min_duration_seconds: 600, max_duration_seconds: 600 }, {}, null],
  [{ min_duration_seconds: 601 }, {}, 'min_duration_seconds'],
  [{ max_duration_seconds: 599 }, {}, 'max_duration_seconds'],
  [{ title_contains: ['rivers', 'BRIDGES'] }, {}, null],
  [{ title_contains: ['rivers'] }, {}, 'title_contains'],
  [{ title_excludes: ['ｂｒｉｄｇｅｓ'] }, {}, 'title_excludes'],
  [{ max_duration_seconds: 180 }, { type: 'short', durationSeconds: null }, null],
  [{ max_duration_seconds: 179 }, { type: 'short', durationSeconds: null }, 'max_duration_seconds'],
  [{ min_duration_seconds: 181 }, { type: 'short', durationSeconds: null }, 'min_duration_seconds'],
  [{ min_duration_seconds: 1 }, { type: 'short', durationSeconds: null }, null],
  [{ min_duration_seconds: 1 }, { durationSeconds: null }, 'min_duration_seconds'],
])('the filter %j judges a video with %j as %j', (filter, changes, rule) => {
  expect(findBrokenRule(filter, video(changes))).toBe(rule)
})

test.each<[SubscriptionFilter | null, Partial<FilteredVideo>, boolean]>([
  [{ min_duration_seconds: 60 }, { durationSeconds: null }, true],
  [{ max_duration_seconds: 60, types: ['video'] }, { durationSeconds: null }, true],
  [{ max_duration_seconds: 60, types: ['short'] }, { durationSeconds: null }, false],
  [{ max_duration_seconds: 60, title_excludes: ['bridges'] }, { durationSeconds: null }, false],
  [{ max_duration_seconds: 60 }, { type: 'short', durationSeconds: null }, false],
  [{ max_duration_seconds: 60 }, {}, false],
  [{ title_contains: ['bridges'] }, { durationSeconds: null }, false],
  [null, { durationSeconds: null }, false],
])('with the filter %j, a video with %j waits for its length: %j', (filter, changes, waits) => {
  expect(awaitsLength(filter, video(changes))).toBe(waits)
})
