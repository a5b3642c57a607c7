import type { Scope } from '@subtext/contracts'
import { assertScope, readCredential } from './authenticate.ts'

const KEY = `sk_${'0a'.repeat(32)}`
const OTHER = `sk_${'0b'.repeat(32)}`

describe('readCredential', () => {
  test.each<[string, NodeJS.Dict<string[]>]>([
    ['Authorization', { authorization: [`Bearer ${KEY}`] }],
    ['X-API-Key', { 'x-api-key': [KEY] }],
    ['both headers that agree', { authorization: [`Bearer ${KEY}`], 'x-api-key': [KEY] }],
  ])('reads %s', (_, headers) => {
    expect(readCredential(headers)).toBe(KEY)
  })

  const refusalOf = (headers: NodeJS.Dict<string[]>, query?: object): string => {
    try {
      return `accepted ${readCredential(headers, query)}`
    } catch (error) {
      expect(error).toMatchObject({ code: 'UNAUTHORIZED' })
      return (error as Error).message
    }
  }

  test.each<[string, NodeJS.Dict<string[]>, string]>([
    ['no header', {}, 'No API key was sent. Send it as `Authorization: Bearer'],
    ['headers that differ', { authorization: [`Bearer ${KEY}`], 'x-api-key': [OTHER] }, 'different keys'],
    ['a valid key with an empty one', { authorization: [`Bearer ${KEY}`], 'x-api-key': [''] }, 'different keys'],
    ['a valid key with another scheme', { authorization: [`Basic ${KEY}`], 'x-api-key': [KEY] }, 'scheme'],
    ['the same value twice', { authorization: [`Bearer ${KEY}`, `Bearer ${KEY}`] }, '`Authorization` was sent twice'],
    ['X-API-Key sent twice', { 'x-api-key': [KEY, KEY] }, '`X-API-Key` was sent twice'],
    ['the key without a scheme', { authorization: [KEY] }, 'must use the `Bearer` scheme'],
    ['two keys', { authorization: [`Bearer ${KEY} ${KEY}`] }, 'one API key'],
    ['a list of keys', { authorization: [`Bearer ${KEY}, Bearer ${KEY}`] }, 'one API key'],
    ['two keys in X-API-Key', { 'x-api-key': [`${KEY}, ${KEY}`] }, '`X-API-Key` does not contain an API key'],
    ['a key that is too short', { authorization: [`Bearer ${KEY.slice(0, -1)}`] }, '64 hexadecimal digits'],
    ['a key in upper case', { authorization: [`Bearer ${KEY.toUpperCase()}`] }, 'in lower case'],
    ['an empty X-API-Key', { 'x-api-key': [''] }, '`X-API-Key` does not contain an API key'],
  ])('refuses %s and says what is wrong', (_, headers, problem) => {
    const message = refusalOf(headers)
    expect(message).toContain(problem)
    expect(message).not.toContain(KEY.slice(3))
  })

  test.each([{ api_key: KEY }, { key: 'x' }, { access_token: '' }, { q: KEY }, { apikey: ['a', 'b'] }])(
    'says that a key in the query is ignored: %j',
    (query) => {
      expect(refusalOf({}, query)).toBe(
        'An API key in the query is ignored. Send it as `Authorization: Bearer sk_...`.',
      )
      expect(refusalOf({ 'x-api-key': [KEY] }, query)).toBe(`accepted ${KEY}`)
    },
  )

  test('does not mistake other parameters of the query for a key', () => {
    expect(refusalOf({}, { limit: '5', cursor: 'abc', keyboard: 'x' })).toMatch(/^No API key was sent\./)
  })
})

describe('assertScope', () => {
  const check = (scopes: Scope[], needed: Scope) => () =>
    assertScope({ userId: 'u', apiKeyId: 'k', plan: 'pro', scopes }, needed)

  test.each<[Scope[], Scope]>([
    [['read'], 'read'],
    [['write'], 'write'],
    [['read', 'write'], 'write'],
    [['admin'], 'read'],
    [['admin'], 'write'],
    [['admin'], 'admin'],
  ])('allows a key with the scopes %j to %s', (scopes, needed) => {
    expect(check(scopes, needed)).not.toThrow()
  })

  test.each<[Scope[], Scope]>([
    [['read'], 'write'],
    [['write'], 'read'],
    [['read', 'write'], 'admin'],
    [[], 'read'],
  ])('does not allow a key with the scopes %j to %s', (scopes, needed) => {
    expect(check(scopes, needed)).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_SCOPE',
        message: expect.stringContaining(`requires the scope \`${needed}\``),
        details: { required_scope: needed, scopes },
      }),
    )
  })
})
