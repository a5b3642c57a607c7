import { type ClaimCapacity, selectDeliveries } from './select-deliveries.ts'

const MEGABYTE = 1024 * 1024
type Capacities = { [Part in keyof ClaimCapacity]?: Partial<ClaimCapacity[Part]> }
const capacity = (overrides: Capacities = {}): ClaimCapacity => ({
  all: { slots: 10, bytes: 64 * MEGABYTE, calm: false, ...overrides.all },
  slow: { slots: 5, bytes: 16 * MEGABYTE, calm: false, ...overrides.slow },
  new: { slots: 5, bytes: 32 * MEGABYTE, calm: false, ...overrides.new },
  unproven: { slots: 10, bytes: Number.POSITIVE_INFINITY, calm: true, ...overrides.unproven },
})
const delivery =
  (pace: 'quick' | 'slow' | 'new') =>
  (id: string, megabytes = 0) => {
    return { id, bytes: megabytes * MEGABYTE, pace }
  }
const quick = delivery('quick')
const slow = delivery('slow')
const fresh = delivery('new')

describe('selectDeliveries', () => {
  test('takes deliveries in order, up to the number of slots', () => {
    const found = [quick('a'), slow('b'), fresh('c'), quick('d')]
    expect(selectDeliveries(found, capacity())).toEqual(['a', 'b', 'c', 'd'])
    expect(selectDeliveries(found, capacity({ all: { slots: 2 } }))).toEqual(['a', 'b'])
    expect(selectDeliveries(found, capacity({ all: { slots: 0 } }))).toEqual([])
  })

  test('limits slow and new receivers to their part of the slots, without stopping the others', () => {
    const found = [slow('a'), slow('b'), fresh('c'), fresh('d'), quick('e')]
    expect(selectDeliveries(found, capacity({ slow: { slots: 1 } }))).toEqual(['a', 'c', 'd', 'e'])
    expect(selectDeliveries(found, capacity({ slow: { slots: 0 }, new: { slots: 1 } }))).toEqual(['c', 'e'])
    expect(selectDeliveries(found, capacity({ unproven: { slots: 3 } }))).toEqual(['a', 'b', 'c', 'e'])
  })

  test('limits slow and new receivers to their part of the memory, without stopping the others', () => {
    const found = [slow('a', 10), slow('b', 10), fresh('c', 20), fresh('d', 20), quick('e', 30), quick('f', 10)]
    expect(selectDeliveries(found, capacity())).toEqual(['a', 'c', 'e'])
  })

  test('lets small deliveries overtake one that does not fit, but not large ones', () => {
    const found = [quick('a', 40), quick('b', 40), quick('c', 2), quick('d', 1 / 4), quick('e', 23), quick('f')]
    expect(selectDeliveries(found, capacity())).toEqual(['a', 'd', 'f'])
    expect(selectDeliveries([slow('a', 20), slow('b', 2), slow('c', 1 / 4), quick('d', 60)], capacity())).toEqual([
      'c',
      'd',
    ])
  })

  test('takes a body larger than the whole memory alone, once little else is in progress', () => {
    const found = [quick('a', 100), quick('b', 1 / 4)]
    expect(selectDeliveries(found, capacity())).toEqual(['b'])
    expect(selectDeliveries(found, capacity({ all: { calm: true } }))).toEqual(['a'])
    const slowOnes = [slow('a', 100), slow('b', 1 / 4)]
    expect(selectDeliveries(slowOnes, capacity({ all: { calm: true }, slow: { calm: true } }))).toEqual(['a'])
  })
})
