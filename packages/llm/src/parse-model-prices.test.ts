import { parseModelPrices } from './parse-model-prices.ts'

test('prices of several models, one of them with a step for long prompts', () => {
  expect(parseModelPrices('a-1=1/5/1.25/0.1, b=0.1/0.5/0.125/0.01,b>100000=0.5/2.5/0.625/0.05')).toEqual({
    prices: [
      { model: 'a-1', input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.1 },
      {
        ...{ model: 'b', input: 0.1, output: 0.5, cacheWrite: 0.125, cacheRead: 0.01 },
        long: { aboveTokens: 100_000, prices: { input: 0.5, output: 2.5, cacheWrite: 0.625, cacheRead: 0.05 } },
      },
    ],
    faults: [],
  })
})

test.each([
  ['', /is not model=/],
  ['a', /is not model=/],
  ['a=1/2/3', /is not model=/],
  ['a=1/2/3/4/5', /is not model=/],
  ['a=1/2/3/-4', /is not model=/],
  ['a=1/2/3/x', /is not model=/],
  ['a=1/2/3/1e9', /is not model=/],
  ['a=1/2/3/4,', /is not model=/],
  ['=1/2/3/4', /is not model=/],
  ['a b=1/2/3/4', /is not model=/],
  ['a>=1/2/3/4', /is not model=/],
  ['a=1/2/3/4,a=1/2/3/4', /comes second/],
  ['a>5=1/2/3/4', /has to follow/],
  ['a=1/2/3/4,a>5=1/2/3/4,a>6=1/2/3/4', /second step/],
])('%j is refused', (text, fault) => {
  const { faults } = parseModelPrices(text)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(fault)
})
