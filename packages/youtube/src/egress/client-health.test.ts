import { createClientHealth } from './client-health.ts'

const open = () => {
  let now = 1_000_000
  const health = createClientHealth(() => now)
  const refuse = (...videos: string[]) => {
    for (const video of videos) health.refused('VISIONOS', video)
  }
  const order = () => health.sort(['VISIONOS', 'ANDROID', 'IOS']).join(' ')
  return { health, refuse, order, pass: (minutes: number) => (now += minutes * 60_000) }
}
const FIRST = 'VISIONOS ANDROID IOS'
const LAST = 'ANDROID IOS VISIONOS'

test('a client is asked last after it was turned away for three videos in a row', () => {
  const { health, refuse, order } = open()
  refuse('a', 'b', 'a', 'b')
  expect(order()).toBe(FIRST)
  health.answered('VISIONOS')
  refuse('c', 'd')
  expect(order()).toBe(FIRST)
  refuse('e')
  expect(order()).toBe(LAST)
  health.answered('VISIONOS')
  expect(order()).toBe(FIRST)
})

test('a client is asked in its place again after ten minutes, and last again if that fails once', () => {
  const { refuse, order, pass } = open()
  refuse('a', 'b', 'c')
  pass(9)
  expect(order()).toBe(LAST)
  pass(1)
  expect(order()).toBe(FIRST)
  refuse('d')
  expect(order()).toBe(LAST)
})

test('clients that have all been turned away keep their order', () => {
  const { health, refuse, order } = open()
  for (const video of ['a', 'b', 'c']) {
    health.refused('ANDROID', video)
    health.refused('IOS', video)
  }
  expect(order()).toBe(FIRST)
  refuse('a', 'b', 'c')
  expect(order()).toBe(FIRST)
})
