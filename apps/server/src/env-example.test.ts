import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { APP_SCHEMAS, assertUsable, ROOT } from './env.ts'
import { buildEnvExample } from './env-example.ts'

const committed = readFileSync(join(ROOT, '.env.example'), 'utf8')

describe('.env.example', () => {
  test('matches the schemas (`npm run --silent env-example > .env.example` updates it)', () => {
    expect(committed).toBe(buildEnvExample())
  })

  test('describes every setting', () => {
    const names = Object.values(APP_SCHEMAS).flatMap(({ shape }) =>
      Object.entries(shape).map(([name, schema]) => String((schema as z.ZodType).meta()?.family ?? name)),
    )
    expect(names).toEqual(expect.arrayContaining(['PORT', 'RATE_LIMIT_ADMIN', 'RATE_LIMIT_<PLAN>']))
    for (const name of names) expect(committed).toMatch(new RegExp(`^# \\S.*\n# ${name}=`, 'm'))
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

  test('requires an API key for summaries by a model', () => {
    expect(() => assertUsable({ SUMMARIZER: 'anthropic' })).toThrow(/ANTHROPIC_API_KEY/)
  })
})
