import { inspect } from 'node:util'
import { Subtext } from './client.ts'
import { data, failure, reset, useTestService } from './testing/serve.ts'

const serve = useTestService()

test('refuses to start without an API key and says how to set one', () => {
  expect(() => new Subtext()).toThrow('No API key: pass apiKey, or set SUBTEXT_API_KEY.')
})

test.each([
  ['localhost:3000', 'must begin with http'],
  ['http://', 'must begin with http'],
  ['https://ann:hunter2@api.example.org', 'must not contain a user name'],
  ['https://api.example.org/?tenant=1', 'must not contain ?'],
])('refuses the base URL %s, without repeating it', (baseUrl, message) => {
  const create = () => new Subtext({ apiKey: 'sk_x', baseUrl })
  expect(create).toThrow(message)
  expect(create).not.toThrow('hunter2')
})

test('trims a key, and refuses one that cannot be sent without repeating it', async () => {
  const service = await serve(data({}))
  await service.client({ apiKey: ' sk_line\n' }).usage.current()
  expect(service.requests[0]?.headers.authorization).toBe('Bearer sk_line')
  for (const apiKey of ['sk_a\nsk_b', 'sk_é', '']) {
    const create = () => new Subtext({ apiKey, baseUrl: service.url })
    expect(create).toThrow('pass apiKey, or set SUBTEXT_API_KEY.')
    expect(create).not.toThrow('sk_')
  }
})

test('shows neither key nor secret when it is printed', async () => {
  const service = await serve(failure(401, 'UNAUTHORIZED', false), reset)
  const client = service.client({ apiKey: 'sk_hidden', maxRetries: 0 })
  const errors = [1, 2].map(() => client.usage.current().catch((error: unknown) => error))
  expect(inspect([client, await Promise.all(errors)], { depth: 9, showHidden: true })).not.toContain('sk_hidden')
})

test.each(['', '/', '/api/v1', '/api/v1/', '/api/v1//'])('accepts a base URL that ends with "%s"', async (end) => {
  const service = await serve(data({}))
  await service.client({ baseUrl: service.url + end }).usage.current()
  expect(service.requests[0]?.url).toBe('/api/v1/usage/current')
})

test('uses the given fetch', async () => {
  const calls: unknown[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    calls.push(input)
    return Response.json({ success: true, data: {}, meta: {} })
  }
  await new Subtext({ apiKey: 'sk_x', baseUrl: 'https://api.example.org', fetch }).usage.current()
  expect(calls).toEqual(['https://api.example.org/api/v1/usage/current'])
})

test('accepts a base URL with a path', async () => {
  const service = await serve(data({}))
  await service.client({ baseUrl: `${service.url}/text/` }).usage.current()
  expect(service.requests[0]?.url).toBe('/text/api/v1/usage/current')
})
