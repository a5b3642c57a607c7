import { createLargeVideos, NoRoomError } from './large-videos.ts'

const TEN_HOURS = { seconds: 36_000 }

test('one large video at a time, whatever shows its size; others need no room', () => {
  const worker = createLargeVideos()
  const [first, second, small] = [worker.open(), worker.open(), worker.open()]
  first.take(TEN_HOURS)
  // What it has it need not take again.
  first.take({ cues: 30_000, characters: 10_000_000 })
  for (const size of [TEN_HOURS, { cues: 30_000 }, { characters: 10_000_000 }]) {
    expect(() => second.take(size)).toThrow(NoRoomError)
  }
  small.take({ seconds: 3_600, cues: 900, characters: 60_000 })
  first.leave()
  second.take(TEN_HOURS)
  expect(() => first.take(TEN_HOURS)).toThrow(NoRoomError)
})

test('only who has room gives it back', () => {
  const worker = createLargeVideos()
  const [first, second, third] = [worker.open(), worker.open(), worker.open()]
  first.take(TEN_HOURS)
  second.leave()
  expect(() => third.take(TEN_HOURS)).toThrow(NoRoomError)
  first.leave()
  first.leave()
  second.take(TEN_HOURS)
  expect(() => third.take(TEN_HOURS)).toThrow(NoRoomError)
})
