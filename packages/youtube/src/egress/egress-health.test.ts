import { createEgressHealth } from './egress-health.ts'

const open = () => {
  let now = 1_000_000
  const changes: string[] = []
  const health = createEgressHealth({ restMs: 60_000, now: () => now, onChange: (state) => changes.push(state) })
  const blockAll = (...videos: string[]) => {
    for (const video of videos) health.blocked(video)
  }
  return { health, changes, blockAll, pass: (seconds: number) => (now += seconds * 1000) }
}

test('an egress stays open for others when a few videos are refused again and again', () => {
  const { health, blockAll } = open()
  blockAll('a', 'a', 'b', 'a', 'b')
  expect([health.admit('new'), health.admit('new'), health.restLeftMs()]).toEqual([true, true, 0])
})

test('a reply resets the count of refused videos', () => {
  const { health, blockAll, changes } = open()
  blockAll('a', 'b')
  health.answered()
  blockAll('c', 'd')
  expect(health.admit('new')).toBe(true)
  expect(changes).toEqual([])
})

test('an egress rests after three refused videos in a row, then admits one trial at a time', () => {
  const { health, blockAll, pass, changes } = open()
  blockAll('a', 'b', 'c')
  expect(changes).toEqual(['resting'])
  expect([health.admit('new'), health.restLeftMs()]).toEqual([false, 60_000])
  pass(60)
  expect(health.restLeftMs()).toBe(0)
  expect([health.admit('new'), health.admit('new'), health.restLeftMs()]).toEqual([true, false, 5_000])
  health.answered()
  expect([health.admit('new'), health.admit('new')]).toEqual([true, true])
  expect(changes).toEqual(['resting', 'recovered'])
})

test('each failed trial doubles the rest, up to 15 minutes', () => {
  const { health, blockAll, pass } = open()
  blockAll('a', 'b', 'c')
  const rests = Array.from({ length: 6 }, (_, index) => {
    const seconds = health.restLeftMs() / 1000
    pass(seconds)
    health.admit('new')
    health.blocked(`new ${index}`)
    return seconds
  })
  expect(rests).toEqual([60, 120, 240, 480, 900, 900])
})

test('an egress rests for as long as the platform asks, and later blocks do not extend the rest', () => {
  const { health } = open()
  health.blocked('a', 300)
  expect(health.restLeftMs()).toBe(300_000)
  health.blocked('b', 900)
  expect(health.restLeftMs()).toBe(300_000)
})

test('a video that met a rate limit may be the trial as soon as the rest is over', () => {
  const { health, pass } = open()
  health.blocked('a', 90)
  expect(health.restLeftMs('a')).toBe(90_000)
  pass(90)
  expect([health.restLeftMs('a'), health.admit('a')]).toEqual([0, true])
  health.blocked('a', 30)
  expect(health.restLeftMs('a')).toBe(120_000)
})

test('a trial that is inconclusive or does not report makes way for another', () => {
  const { health, blockAll, pass } = open()
  blockAll('a', 'b', 'c')
  pass(60)
  expect(health.admit('new')).toBe(true)
  health.release()
  expect(health.admit('new')).toBe(true)
  expect(health.admit('new')).toBe(false)
  pass(60)
  expect(health.admit('new')).toBe(true)
})

test('a video that was turned away leaves the trial after the rest to other videos', () => {
  const { health, blockAll, pass, changes } = open()
  blockAll('a', 'b', 'c')
  pass(60)
  expect([health.admit('a'), health.restLeftMs('a'), health.restLeftMs()]).toEqual([false, 10_000, 0])
  expect(health.admit('new')).toBe(true)
  health.answered()
  expect(changes).toEqual(['resting', 'recovered'])
})

test('a video that was turned away becomes the trial when no other video comes, without extending the rest', () => {
  const { health, blockAll, pass } = open()
  blockAll('a', 'b', 'c')
  for (let trial = 0; trial < 3; trial++) {
    pass(70)
    expect(health.admit('a')).toBe(true)
    blockAll('a')
    expect(health.restLeftMs()).toBe(60_000)
  }
})
