import { parseModelPrices } from './parse-model-prices.ts'

test('parses the prices of several models, one of them with prices for long prompts', () => {
  expect(parseModelPrices('a-1=1/5/1.25/0.1, b=0.1/0.5/0.125/0.01,b>100000=0.5/2.5/0.625/0.05')).toEqual({
    prices: [
      { model: 'a-1', input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.1 },
      {
        model: 'b',
        input: 0.1,
        output: 0.5,
        cacheWrite: 0.125,
        cacheRead: 0.01,
        long: { aboveTokens: 100_000, prices: { input: 0.5, output: 2.5, cacheWrite: 0.625, cacheRead: 0.05 } },
      },
    ],
    errors: [],
  })
})

test.each([
  ['', /does not have the form/],
  ['a', /does not have the form/],
  ['a=1/2/3', /does not have the form/],
  ['a=1/2/3/4/5', /does not have the form/],
  ['a=1/2/3/-4', /does not have the form/],
  ['a=1/2/3/x', /does not have the form/],
  ['a=1/2/3/1e9', /does not have the form/],
  ['a=1/2/3/4,', /does not have the form/],
  ['=1/2/3/4', /does not have the form/],
  ['a b=1/2/3/4', /does not have the form/],
  ['a>=1/2/3/4', /does not have the form/],
  ['a=1/2/3/4,a=1/2/3/4', /repeats a model/],
  ['a>5=1/2/3/4', /has to come after/],
  ['a=1/2/3/4,a>5=1/2/3/4,a>6=1/2/3/4', /second long-prompt entry/],
])('rejects %j', (text, message) => {
  const { errors } = parseModelPrices(text)
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(message)
})
