import { readKey } from './read-key.ts'

const KEY = `sk_${'a'.repeat(64)}`
const OTHER = `sk_${'b'.repeat(64)}`
const read = (authorization: string[] | undefined, plain?: string[]) =>
  readKey({ ...(authorization && { authorization }), ...(plain && { 'x-api-key': plain }) })

test.each<[string, string[] | undefined, string[] | undefined]>([
  ['`Authorization`', [`Bearer ${KEY}`], undefined],
  ['`Authorization`, whatever the case of its scheme', [`bearer  ${KEY}`], undefined],
  ['`X-API-Key`', undefined, [KEY]],
  ['both, if they agree', [`Bearer ${KEY}`], [KEY]],
])('reads a key from %s', (_, authorization, plain) => {
  expect(read(authorization, plain)).toEqual({ key: KEY })
})

test.each<[string, string[] | undefined, string[] | undefined, RegExp]>([
  ['no header', undefined, undefined, /^Sign in, or send your API key/],
  ['two keys that differ', [`Bearer ${KEY}`], [OTHER], /different keys/],
  ['a key and an empty one', [`Bearer ${KEY}`], [''], /different keys/],
  ['another scheme', ['Basic abc'], undefined, /has no scheme, or another one than Bearer/],
  ['another scheme beside a key', ['Basic abc'], [KEY], /has no scheme, or another one than Bearer/],
  ['an empty `Authorization` beside a key', [''], [KEY], /has no scheme/],
  ['no key after `Bearer`', ['Bearer'], undefined, /followed by/],
  ['two keys after `Bearer`', [`Bearer ${KEY} ${KEY}`], undefined, /followed by/],
  ['`Authorization` sent twice', [`Bearer ${KEY}`, `Bearer ${KEY}`], undefined, /Authorization was sent twice/],
  ['`X-API-Key` sent twice', undefined, [KEY, OTHER], /X-API-Key was sent twice/],
  ['what cannot be a key', undefined, ['two words'], /X-API-Key/],
])('refuses %s', (_, authorization, plain, problem) => {
  expect(read(authorization, plain)).toEqual({ problem: expect.stringMatching(problem) })
})
