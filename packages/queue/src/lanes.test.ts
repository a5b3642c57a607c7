import { capacityOf, divideSlots, normalSlots } from './lanes.ts'

describe('divideSlots', () => {
  test.each([
    [1, { high: 1, normal: 0 }],
    [2, { high: 1, normal: 1 }],
    [8, { high: 6, normal: 2 }],
    [16, { high: 12, normal: 4 }],
  ])('divides %i slots between both lanes', (concurrency, slots) => {
    expect(divideSlots(concurrency, ['high', 'normal'])).toEqual(slots)
  })

  test('gives every slot to the only lane of a worker', () => {
    expect(divideSlots(5, ['high'])).toEqual({ high: 5, normal: 0 })
    expect(divideSlots(5, ['normal'])).toEqual({ high: 0, normal: 5 })
  })
})

describe('normalSlots', () => {
  test('lends the idle slots of the high lane to the normal lane, but not the busy ones', () => {
    const slots = { high: 6, normal: 2 }
    expect(normalSlots(slots, 0)).toBe(8)
    expect(normalSlots(slots, 4)).toBe(4)
    expect(normalSlots(slots, 6)).toBe(2)
    expect(normalSlots({ high: 1, normal: 0 }, 0)).toBe(1)
    expect(normalSlots({ high: 1, normal: 0 }, 1)).toBe(1)
  })
})

describe('capacityOf', () => {
  test.each([
    [1, 0, { slots: 1, free: 1, reserve: 0 }],
    [3, 3, { slots: 3, free: 0, reserve: 0 }],
    [4, 1, { slots: 4, free: 3, reserve: 1 }],
    [8, 8, { slots: 8, free: 0, reserve: 1 }],
    [2, 7, { slots: 2, free: -5, reserve: 0 }],
    [50, 10, { slots: 50, free: 40, reserve: 6 }],
  ])('computes the capacity of %i slots with %i running jobs', (slots, active, capacity) => {
    expect(capacityOf(slots, active)).toEqual(capacity)
  })
})
