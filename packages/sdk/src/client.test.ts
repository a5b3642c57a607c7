import { Subtext } from './client.ts'
import { data, useTestService } from './testing/serve.ts'

const serve = useTestService()

test('refuses to start without an API key and says how to set one', () => {
  expect(() => new Subtext()).toThrow('No API key: pass apiKey, or set SUBTEXT_API_KEY.')
})

test('refuses a base URL that is not a URL', () => {
  expect(() => new Subtext({ apiKey: 'sk_x', baseUrl: 'localhost:3000' })).toThrow('must begin with http')
})

test.each(['', '/', '/api/v1', '/api/v1/'])('accepts a base URL that ends with "%s"', async (end) => {
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
