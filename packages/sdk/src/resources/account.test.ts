import { collect } from '../testing/collect.ts'
import { data, failure, reset, useTestService } from '../testing/serve.ts'

const serve = useTestService()
/** As in a page of the service, where the session of the browser is used. */
const SESSION = { apiKey: null, maxRetries: 1 }

test('calls every route of the account without a key, and names what is in the way of one', async () => {
  const service = await serve(data({ keys: [{ id: 'k' }], sessions: [{ id: 's' }], apps: [{ id: 'a' }] }))
  const { account } = service.client(SESSION)
  await account.get()
  await account.update({ name: 'Ada' })
  expect(await account.keys()).toEqual([{ id: 'k' }])
  await account.createKey({ name: 'Nightly import', scopes: ['read'] })
  await account.updateKey('k/1', { disabled: true })
  await account.revokeKey('k')
  expect(await account.sessions()).toEqual([{ id: 's' }])
  await account.endSession('s')
  expect(await account.apps()).toEqual([{ id: 'a' }])
  await account.disconnectApp('a')
  await account.export()
  await account.delete('ada@example.org')
  expect(
    service.requests.map(({ method, url, body }) => `${method} ${url.replace('/api/v1/account', '')} ${body}`),
  ).toEqual([
    'GET  ',
    'PATCH  {"name":"Ada"}',
    'GET /keys ',
    'POST /keys {"name":"Nightly import","scopes":["read"]}',
    'PATCH /keys/k%2F1 {"disabled":true}',
    'DELETE /keys/k ',
    'GET /sessions ',
    'DELETE /sessions/s ',
    'GET /apps ',
    'DELETE /apps/a ',
    'GET /export ',
    'DELETE  {"confirm":"ada@example.org"}',
  ])
  expect(service.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
})

test('ends a session and disconnects an application once, though the answer of the first attempt is lost', async () => {
  const service = await serve(reset, failure(404, 'NOT_FOUND', false))
  const { account } = service.client(SESSION)
  expect(await account.endSession('s')).toEqual({ ended: true })
  service.replyWith(reset, failure(404, 'NOT_FOUND', false))
  expect(await account.disconnectApp('a')).toEqual({ disconnected: true })
  service.replyWith(failure(404, 'NOT_FOUND', false))
  await expect(account.disconnectApp('a')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('repeats no deletion when an answer is lost', async () => {
  const service = await serve(reset)
  const { account } = service.client(SESSION)
  await expect(account.delete('ada@example.org')).rejects.toMatchObject({ code: 'CONNECTION_ERROR' })
  expect(service.requests).toHaveLength(1)
})

test('repeats the creation of a key under its idempotency key when an answer is lost', async () => {
  const service = await serve(reset, data({ id: 'k' }))
  const { account } = service.client(SESSION)
  expect(await account.createKey({ name: 'Nightly import' })).toEqual({ id: 'k' })
  const [first, second] = service.requests.map(({ headers }) => headers['idempotency-key'])
  expect(first).toEqual(expect.any(String))
  expect(second).toBe(first)
})

test('reads the accounts of the service page by page, or finds one by its address', async () => {
  const page = (id: string, next_cursor: string | null) => data({ accounts: [{ id }], pagination: { next_cursor } })
  const service = await serve(data({ queue: [] }), page('one', 'c'), page('two', null))
  const { operations } = service.client(SESSION)
  await operations.get()
  expect(await collect(operations.accounts({ limit: 1 }))).toEqual([{ id: 'one' }, { id: 'two' }])
  await operations.accounts({ email: 'a+b@example.org' }).page()
  expect(service.requests.map(({ url }) => url.replace('/api/v1/operations', ''))).toEqual([
    '',
    '/accounts?limit=1',
    '/accounts?limit=1&cursor=c',
    '/accounts?email=a%2Bb%40example.org&limit=100',
  ])
})
