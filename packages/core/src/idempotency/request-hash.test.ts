import fc from 'fast-check'
import { hashRequest } from './request-hash.ts'

const hash = (body: unknown): string => hashRequest('post', '/videos/process', body).toString('hex')

/** What a parsed body can be. */
const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)))

/** The same value with the keys of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, turned(each)] as const)
  return JSON.parse(`{${entries.reverse().map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)}}`)
}

test('the order of keys does not matter, at any depth', () => {
  fc.assert(fc.property(json, (value) => hash(turned(value)) === hash(value)))
})

test('two values have two hashes', () => {
  const sorted = (value: unknown): unknown =>
    JSON.stringify(value, (_, each) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))
        : each,
    )
  fc.assert(
    fc.property(json, json, (one, other) => {
      fc.pre(sorted(one) !== sorted(other))
      return hash(one) !== hash(other)
    }),
  )
})

test('another method or path is another request', () => {
  const body = { url: 'x' }
  expect(hashRequest('POST', '/videos/process', body).toString('hex')).toBe(hash(body))
  expect(hashRequest('post', '/videos/process-sync', body).toString('hex')).not.toBe(hash(body))
  expect(hashRequest('put', '/videos/process', body).toString('hex')).not.toBe(hash(body))
})

test.each([
  ['spellings of a number', '{"a":1.0}', '{"a":1e0}', true],
  ['escapes', '{"\\u0061":"\\u00e9"}', '{"a":"é"}', true],
  ['white space', '{ "a" : [ 1 ] }', '{"a":[1]}', true],
  ['composed and decomposed letters', '{"a":"é"}', '{"a":"e\\u0301"}', false],
  ['a number and its text', '{"a":1}', '{"a":"1"}', false],
  ['null and absence', '{"a":null}', '{}', false],
  ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}', false],
  ['keys like those of every object', '{"__proto__":1}', '{}', false],
  ['what looks like a circle', '{"a":"[Circular: 0]"}', '{"a":null}', false],
  ['big numbers that Node can tell apart', '{"a":9007199254740991}', '{"a":9007199254740990}', false],
])('%s', (_, one, other, same) => {
  expect(hash(JSON.parse(one)) === hash(JSON.parse(other))).toBe(same)
})
