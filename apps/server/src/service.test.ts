import { settingsOf } from './service.ts'

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
