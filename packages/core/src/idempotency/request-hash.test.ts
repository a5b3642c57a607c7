import { anyCharacter } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { hashRequest } from './request-hash.ts'

const hash = (body: unknown): string => hashRequest('post', '/videos/process', body).toString('hex')

/** Any parsed body. */
const json = fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)))

/** Returns the same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, reversed(each)] as const)
  return JSON.parse(`{${entries.reverse().map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)}}`)
}

test('ignores the order of keys at any depth', () => {
  fc.assert(fc.property(json, (value) => hash(reversed(value)) === hash(value)))
})

test('different values have different hashes', () => {
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

test('a different method or path is a different request', () => {
  const body = { url: 'x' }
  expect(hashRequest('POST', '/videos/process', body).toString('hex')).toBe(hash(body))
  expect(hashRequest('post', '/videos/process-sync', body).toString('hex')).not.toBe(hash(body))
  expect(hashRequest('put', '/videos/process', body).toString('hex')).not.toBe(hash(body))
})

test.each([
  ['two spellings of a number', '{"a":1.0}', '{"a":1e0}'],
  ['escaped and literal letters', '{"\\u0061":"\\u00e9"}', '{"a":"é"}'],
  ['different white space', '{ "a" : [ 1 ] }', '{"a":[1]}'],
])('returns the same hash for %s', (_, one, other) => {
  expect(hash(JSON.parse(one))).toBe(hash(JSON.parse(other)))
})

test.each([
  ['composed and decomposed letters', '{"a":"é"}', '{"a":"e\\u0301"}'],
  ['a number and the same text', '{"a":1}', '{"a":"1"}'],
  ['null and an absent field', '{"a":null}', '{}'],
  ['two orders of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
  ['a key that every object inherits, and none', '{"__proto__":1}', '{}'],
  ['a text that looks like a circular reference, and null', '{"a":"[Circular: 0]"}', '{"a":null}'],
  ['the two largest safe integers', '{"a":9007199254740991}', '{"a":9007199254740990}'],
])('returns different hashes for %s', (_, one, other) => {
  expect(hash(JSON.parse(one))).not.toBe(hash(JSON.parse(other)))
})
