import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EnvError } from '@subtext/runtime'
import type { z } from 'zod'
import { APP_SCHEMAS, assertUsable, ROOT, type Settings } from './env.ts'

const committed = readFileSync(join(ROOT, '.env.example'), 'utf8')

describe('.env.example', () => {
  test('describes every setting', () => {
    const names = Object.values(APP_SCHEMAS).flatMap(({ shape }) =>
      Object.entries(shape).map(([name, schema]) => String((schema as z.ZodType).meta()?.family ?? name)),
    )
    expect(names).toEqual(expect.arrayContaining(['PORT', 'RATE_LIMIT_ADMIN', 'RATE_LIMIT_<PLAN>']))
    for (const name of names) expect(committed).toMatch(new RegExp(`^# \\S.*\n# ${name}=`, 'm'))
  })

  test('begins with the five settings that matter first', () => {
    const names = [...committed.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
    const first = ['PUBLIC_BASE_URL', 'DATABASE_URL', 'REDIS_URL', 'WEBHOOK_SECRET_KEY', 'ANTHROPIC_API_KEY']
    expect(names.slice(0, 5)).toEqual(first)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('assertUsable', () => {
  test('accepts an empty environment', () => {
    expect(() => assertUsable({})).not.toThrow()
  })

  test('reports all problems at once, each of them once', () => {
    const settings = { PORT: 'x', WORKER_LANES: 'fast', WEBHOOK_RETRY_SCHEDULE: 'soon', LOG_LEVEL: 'loud' }
    expect(() => assertUsable(settings)).toThrow(/PORT[\s\S]*LOG_LEVEL|LOG_LEVEL[\s\S]*PORT/)
    try {
      assertUsable(settings)
    } catch (error) {
      const { message } = error as Error
      for (const name of Object.keys(settings)) expect(message.match(new RegExp(`${name}[.:]`, 'g'))).toHaveLength(1)
    }
  })

  test.each([
    [{ PORT: '4511', MCP_PORT: '4511' }, 'MCP_PORT: Must differ from PORT.'],
    [{ MCP_PORT: '3000' }, 'MCP_PORT: Must differ from PORT.'],
    [{ PORT: '4510', METRICS_PORT: '4510' }, 'PORT: Must differ from the ports of METRICS_PORT, 4510 to 4513.'],
    [{ PORT: '4510', METRICS_PORT: '4507' }, 'PORT: Must differ from the ports of METRICS_PORT, 4507 to 4510.'],
    [{ MCP_PORT: '4510', METRICS_PORT: '4509' }, 'MCP_PORT: Must differ from the ports of METRICS_PORT, 4509 to 4512.'],
  ])('refuses the ports %j, which two apps would listen on, together with other problems', (settings, message) => {
    expect(() => assertUsable({ ...settings, LOG_LEVEL: 'loud' })).toThrow(new RegExp(`LOG_LEVEL: .*\n  ${message}$`))
  })

  test.each<Settings>([
    { PORT: '3001' },
    { PORT: '8080', METRICS_PORT: '3000' },
    { PORT: '4510', METRICS_PORT: '4511', MCP_PORT: '4509' },
    { PORT: '4510', METRICS_PORT: '4506', MCP_PORT: '0' },
  ])('accepts the ports %j', (settings) => {
    expect(() => assertUsable(settings)).not.toThrow()
  })

  test('compares no ports that are not numbers', () => {
    expect(() => assertUsable({ METRICS_PORT: 'x', MCP_PORT: 'y' })).toThrow(
      /:\n {2}METRICS_PORT: Must be a number.\n {2}MCP_PORT: Must be a number.$/,
    )
  })

  test('reports settings that others require even if other settings are wrong', () => {
    const settings = { PORT: 'x', HTTPS_ONLY: 'perhaps', SUMMARIZER: 'anthropic', OIDC_ISSUER: 'x', SMTP_URL: 'x' }
    const issues = [
      'PORT: Must be a number.',
      'HTTPS_ONLY: Must be one of true, 1, yes, on, y, enabled, false, 0, no, off, n, disabled.',
      'OIDC_ISSUER: Must be a URL.',
      'SMTP_URL: Must be a URL.',
      'OIDC_CLIENT_ID: Required together with OIDC_ISSUER.',
      'OIDC_CLIENT_SECRET: Required together with OIDC_ISSUER.',
      'ANTHROPIC_API_KEY: Required for SUMMARIZER=anthropic.',
    ]
    expect(() => assertUsable(settings)).toThrow(new EnvError(issues))
  })

  test('requires an API key for summaries by a model', () => {
    expect(() => assertUsable({ SUMMARIZER: 'anthropic' })).toThrow(/ANTHROPIC_API_KEY/)
  })
})
