import { createLargeVideos, NoCapacityError } from './large-videos.ts'

const TEN_HOURS = { seconds: 36_000 }

test('a worker processes one large video at a time, by either measure of size, and any number of small ones', () => {
  const worker = createLargeVideos()
  const [first, second, small] = [worker.open(), worker.open(), worker.open()]
  first.claim(TEN_HOURS)
  // Claiming capacity again is safe.
  first.claim({ cues: 30_000, characters: 10_000_000 })
  for (const size of [TEN_HOURS, { cues: 30_000 }, { characters: 10_000_000 }]) {
    expect(() => second.claim(size)).toThrow(NoCapacityError)
  }
  small.claim({ seconds: 3_600, cues: 900, characters: 60_000 })
  first.release()
  second.claim(TEN_HOURS)
  expect(() => first.claim(TEN_HOURS)).toThrow(NoCapacityError)
})

test('only a job that has claimed capacity returns it, once', () => {
  const worker = createLargeVideos()
  const [first, second, third] = [worker.open(), worker.open(), worker.open()]
  first.claim(TEN_HOURS)
  second.release()
  expect(() => third.claim(TEN_HOURS)).toThrow(NoCapacityError)
  first.release()
  first.release()
  second.claim(TEN_HOURS)
  expect(() => third.claim(TEN_HOURS)).toThrow(NoCapacityError)
})
