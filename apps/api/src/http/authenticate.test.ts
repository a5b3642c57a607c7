import type { IncomingHttpHeaders } from 'node:http'
import type { Scope } from '@subtext/contracts'
import type { Actor } from '@subtext/core'
import { authenticate, readApiKey } from './authenticate.ts'

const KEY = `sk_${'0a'.repeat(32)}`
const OTHER = `sk_${'0b'.repeat(32)}`

describe('readApiKey', () => {
  test.each<[string, IncomingHttpHeaders]>([
    ['Authorization', { authorization: `Bearer ${KEY}` }],
    ['any case of the scheme', { authorization: `bEARER ${KEY}` }],
    ['several spaces', { authorization: `Bearer   ${KEY}` }],
    ['X-API-Key', { 'x-api-key': KEY }],
    ['both headers that agree', { authorization: `Bearer ${KEY}`, 'x-api-key': KEY }],
  ])('reads %s', (_, headers) => {
    expect(readApiKey(headers)).toBe(KEY)
  })

  test.each<[string, IncomingHttpHeaders]>([
    ['no header', {}],
    ['headers that differ', { authorization: `Bearer ${KEY}`, 'x-api-key': OTHER }],
    ['a good key beside an empty one', { authorization: `Bearer ${KEY}`, 'x-api-key': '' }],
    ['a good key beside another scheme', { authorization: `Basic ${KEY}`, 'x-api-key': KEY }],
    ['a good key beside an empty Authorization', { authorization: '', 'x-api-key': KEY }],
  ])('refuses %s', (_, headers) => {
    expect(() => readApiKey(headers)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
  })

  // What is left is no key, and the check of its form refuses it.
  test.each<[string, IncomingHttpHeaders]>([
    ['Basic', { authorization: `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}` }],
    ['the key without a scheme', { authorization: KEY }],
    ['the scheme alone', { authorization: 'Bearer' }],
    ['an empty Bearer', { authorization: 'Bearer ' }],
    ['two keys', { authorization: `Bearer ${KEY} ${KEY}` }],
    ['a list of keys', { authorization: `Bearer ${KEY}, Bearer ${KEY}` }],
    ['a tab', { authorization: `Bearer\t${KEY}` }],
    ['X-API-Key sent twice', { 'x-api-key': `${KEY}, ${KEY}` }],
  ])('does not find a key in %s', (_, headers) => {
    expect(readApiKey(headers)).not.toBe(KEY)
  })
})

describe('authenticate', () => {
  const actorWith = (scopes: Scope[]): Actor => ({ userId: 'u', apiKeyId: 'k', plan: 'pro', scopes })
  const call = (scopes: Scope[], needed: Scope) =>
    authenticate(async () => actorWith(scopes), { authorization: `Bearer ${KEY}` }, needed)

  test.each<[Scope[], Scope]>([
    [['read'], 'read'],
    [['write'], 'write'],
    [['read', 'write'], 'write'],
    [['admin'], 'read'],
    [['admin'], 'write'],
    [['admin'], 'admin'],
  ])('a key for %j may %s', async (scopes, needed) => {
    expect(await call(scopes, needed)).toMatchObject({ scopes })
  })

  test.each<[Scope[], Scope]>([
    [['read'], 'write'],
    [['write'], 'read'],
    [['read', 'write'], 'admin'],
    [[], 'read'],
  ])('a key for %j may not %s', async (scopes, needed) => {
    await expect(call(scopes, needed)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { required_scope: needed, scopes },
    })
  })

  test('asks about the very key that was sent, and nobody when none was', async () => {
    const asked: string[] = []
    const verify = async (key: string) => {
      asked.push(key)
      return actorWith(['read'])
    }
    await authenticate(verify, { 'x-api-key': KEY }, 'read')
    await expect(authenticate(verify, {}, 'read')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(asked).toEqual([KEY])
  })
})
