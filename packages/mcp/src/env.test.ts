import { Subtext } from '@subtext/sdk'
import { readEnv } from './env.ts'

const [SERVICE_API_KEY, SERVICE_API_BASE] = ['sk_own', 'http://own.example']

test.each([
  ['both of its settings', { SERVICE_API_KEY, SERVICE_API_BASE }, { apiKey: 'sk_own', baseUrl: SERVICE_API_BASE }],
  ['a key, with the local service', { SERVICE_API_KEY }, { apiKey: 'sk_own', baseUrl: 'http://127.0.0.1:3000' }],
  ['those of the SDK if its own are empty', { SERVICE_API_KEY: '', SERVICE_API_BASE: '' }, {}],
  ['those of the SDK if its own are missing', {}, {}],
])('the server over standard input uses %s', (_, env, expected) => {
  expect(readEnv(env)).toEqual(expected)
})

test.each([{}, { SERVICE_API_KEY: '' }])('no key of another service is used with its URL', (env) => {
  const settings = readEnv({ ...env, SERVICE_API_BASE })
  expect(settings).toEqual({ apiKey: '', baseUrl: SERVICE_API_BASE })
  expect(() => new Subtext(settings)).toThrow('No API key')
})
