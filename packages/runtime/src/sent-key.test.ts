import { isApiKey, readSentKey } from './sent-key.ts'

const KEY = `sk_${'a'.repeat(64)}`
const OTHER = `sk_${'b'.repeat(64)}`
const read = (authorization: string[] | undefined, plain?: string[]) =>
  readSentKey({ ...(authorization && { authorization }), ...(plain && { 'x-api-key': plain }) })

test.each<[string, string[] | undefined, string[] | undefined, string]>([
  ['`Authorization`', [`Bearer ${KEY}`], undefined, 'Authorization'],
  ['`Authorization`, whatever the case of its scheme', [`bEARER   ${KEY}`], undefined, 'Authorization'],
  ['`X-API-Key`', undefined, [KEY], 'X-API-Key'],
  ['both, if they agree', [`Bearer ${KEY}`], [KEY], 'Authorization'],
])('reads a key from %s', (_, authorization, plain, header) => {
  expect(read(authorization, plain)).toEqual({ key: KEY, header })
})

test.each<[string, string[] | undefined, string[] | undefined, RegExp]>([
  ['two keys that differ', [`Bearer ${KEY}`], [OTHER], /different keys/],
  ['a key and an empty one', [`Bearer ${KEY}`], [''], /different keys/],
  ['another scheme', ['Basic abc'], undefined, /must use the `Bearer` scheme/],
  ['another scheme beside a key', ['Basic abc'], [KEY], /must use the `Bearer` scheme/],
  ['a key without a scheme', [KEY], undefined, /must use the `Bearer` scheme/],
  ['an empty `Authorization` beside a key', [''], [KEY], /must use the `Bearer` scheme/],
  ['no key after `Bearer`', ['Bearer'], undefined, /followed by a space and one API key/],
  ['two keys after `Bearer`', [`Bearer ${KEY} ${KEY}`], undefined, /followed by a space and one API key/],
  ['a tab after `Bearer`', [`Bearer\t${KEY}`], undefined, /followed by a space/],
  [
    'a key with other characters than printable ASCII',
    ['Bearer sk_ä'],
    undefined,
    /followed by a space and one API key/,
  ],
  ['`Authorization` sent twice', [`Bearer ${KEY}`, `Bearer ${KEY}`], undefined, /`Authorization` was sent twice/],
  ['`X-API-Key` sent twice', undefined, [KEY, KEY], /`X-API-Key` was sent twice/],
])('refuses %s', (_, authorization, plain, problem) => {
  expect(read(authorization, plain)).toEqual({ problem: expect.stringMatching(problem) })
})

test('finds nothing where nothing was sent', () => {
  expect(read(undefined)).toBeUndefined()
})

test.each([
  [KEY, true],
  [`at_${'a'.repeat(64)}`, false],
  [`${KEY}a`, false],
  [KEY.toUpperCase(), false],
  ['sk_x', false],
])('%s is an API key: %j', (text, expected) => {
  expect(isApiKey(text)).toBe(expected)
})
