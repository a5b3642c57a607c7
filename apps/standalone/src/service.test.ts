import { selectApiBase, settingsOf } from './service.ts'

const ORIGIN = 'http://127.0.0.1:3000'
const PUBLIC_BASE_URL = 'https://subtext.example.org'
test.each<[string, Record<string, string>, string]>([
  ['without TLS', {}, ORIGIN],
  ['if TLS is not required', { HTTPS_ONLY: 'false', PUBLIC_BASE_URL }, ORIGIN],
  ['if TLS is required', { HTTPS_ONLY: 'true', PUBLIC_BASE_URL }, PUBLIC_BASE_URL],
  ['if TLS is required but there is no public URL', { HTTPS_ONLY: 'true' }, ORIGIN],
])('selects where the MCP server reaches the API %s', (_, settings, base) => {
  expect(selectApiBase(settings, ORIGIN)).toBe(base)
})

describe('settingsOf', () => {
  test('gives every app its own metrics port', () => {
    const ports = (['api', 'worker', 'webhooks', 'mcp'] as const).map((app) =>
      settingsOf(app, { METRICS_PORT: '9464' }),
    )
    expect(ports).toEqual([
      { METRICS_PORT: '9464' },
      { METRICS_PORT: '9465' },
      { METRICS_PORT: '9466' },
      { METRICS_PORT: '9467' },
    ])
  })

  test('leaves metrics off if no port is set', () => {
    expect(settingsOf('worker', { LOG_LEVEL: 'info' })).toEqual({ LOG_LEVEL: 'info' })
  })
})
