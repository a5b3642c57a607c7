import type { ResultUsage } from '@subtext/contracts'
import { packUsage, type StoredUsage, unpackUsage } from './result-usage.ts'

const none = { fresh_input_tokens: 0, cache_write_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 }
const some = { fresh_input_tokens: 7, cache_write_tokens: 0, cached_input_tokens: 2, output_tokens: 3, cost_usd: 0.5 }

const FREE: ResultUsage = {
  model: 'extractive',
  cached: false,
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  total_tokens: 0,
  cost_usd: 0,
  by_mode: { tldr: none, detailed: none },
  overhead: none,
}
const PAID: ResultUsage = {
  model: 'some-model',
  cached: false,
  input_tokens: 7,
  output_tokens: 3,
  cached_input_tokens: 2,
  cache_write_tokens: 0,
  total_tokens: 12,
  cost_usd: 0.5,
  by_mode: { tldr: some, detailed: none },
  overhead: none,
}

describe('the usage of a result', () => {
  test.each<[string, StoredUsage, ResultUsage]>([
    ['with all of its zeros', FREE, FREE],
    ['without zeros', { model: 'extractive', cached: false, by_mode: { tldr: {}, detailed: {} }, overhead: {} }, FREE],
    ['that cost something', { ...PAID, by_mode: { tldr: some, detailed: {} }, overhead: {} }, PAID],
  ])('is read if it is stored %s', (_, stored, usage) => {
    expect(unpackUsage(stored)).toEqual(usage)
  })

  test.each([
    ['leaves out the zeros of a result that cost nothing', FREE, { by_mode: { tldr: {}, detailed: {} }, overhead: {} }],
    [
      'leaves out the zeros of modes that cost nothing',
      PAID,
      { ...PAID, by_mode: { tldr: some, detailed: {} }, overhead: {} },
    ],
  ])('%s, and is read again unchanged', (_, usage, stored) => {
    expect(packUsage(usage)).toEqual({ model: usage.model, cached: false, ...stored })
    expect(unpackUsage(packUsage(usage))).toEqual(usage)
  })

  test('stays without the numbers that old results do not have', () => {
    const { by_mode: _, overhead: __, cache_write_tokens: ___, ...old } = PAID
    expect(unpackUsage(old)).toEqual(old)
  })
})
