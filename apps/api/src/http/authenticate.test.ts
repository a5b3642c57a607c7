import type { Scope } from '@subtext/contracts'
import { assertScope, readApiKey } from './authenticate.ts'

const KEY = `sk_${'0a'.repeat(32)}`
const OTHER = `sk_${'0b'.repeat(32)}`

describe('readApiKey', () => {
  test.each<[string, NodeJS.Dict<string[]>]>([
    ['Authorization', { authorization: [`Bearer ${KEY}`] }],
    ['a scheme in any case', { authorization: [`bEARER ${KEY}`] }],
    ['several spaces', { authorization: [`Bearer   ${KEY}`] }],
    ['X-API-Key', { 'x-api-key': [KEY] }],
    ['both headers that agree', { authorization: [`Bearer ${KEY}`], 'x-api-key': [KEY] }],
  ])('reads %s', (_, headers) => {
    expect(readApiKey(headers)).toBe(KEY)
  })

  test.each<[string, NodeJS.Dict<string[]>]>([
    ['no header', {}],
    ['headers that differ', { authorization: [`Bearer ${KEY}`], 'x-api-key': [OTHER] }],
    ['a valid key with an empty one', { authorization: [`Bearer ${KEY}`], 'x-api-key': [''] }],
    ['a valid key with another scheme', { authorization: [`Basic ${KEY}`], 'x-api-key': [KEY] }],
    ['a valid key with an empty Authorization header', { authorization: [''], 'x-api-key': [KEY] }],
    ['Authorization sent twice', { authorization: [`Bearer ${KEY}`, `Bearer ${OTHER}`] }],
    ['Authorization sent twice with the same value', { authorization: [`Bearer ${KEY}`, `Bearer ${KEY}`] }],
    ['X-API-Key sent twice', { 'x-api-key': [KEY, KEY] }],
    ['X-API-Key sent twice with a valid Authorization', { authorization: [`Bearer ${KEY}`], 'x-api-key': [KEY, KEY] }],
  ])('refuses %s', (_, headers) => {
    expect(() => readApiKey(headers)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
  })

  // What it returns is not a key; the check of the key's format refuses it.
  test.each<[string, NodeJS.Dict<string[]>]>([
    ['Basic', { authorization: [`Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`] }],
    ['the key without a scheme', { authorization: [KEY] }],
    ['the scheme alone', { authorization: ['Bearer'] }],
    ['an empty Bearer', { authorization: ['Bearer '] }],
    ['two keys', { authorization: [`Bearer ${KEY} ${KEY}`] }],
    ['a list of keys', { authorization: [`Bearer ${KEY}, Bearer ${KEY}`] }],
    ['a tab', { authorization: [`Bearer\t${KEY}`] }],
    ['two keys in X-API-Key', { 'x-api-key': [`${KEY}, ${KEY}`] }],
  ])('does not find a key in %s', (_, headers) => {
    expect(readApiKey(headers)).not.toBe(KEY)
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
      expect.objectContaining({ code: 'INSUFFICIENT_SCOPE', details: { required_scope: needed, scopes } }),
    )
  })
})
