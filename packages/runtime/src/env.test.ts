import { z } from 'zod'
import {
  CommonEnv,
  count,
  describeOpenHost,
  EnvError,
  envIssues,
  flag,
  keyRing,
  list,
  loadEnv,
  localOrigin,
  PublicEnv,
} from './env.ts'
import { findFormerNames } from './renamed-settings.ts'

const Schema = z.object({ PORT: count(3000, 1, 65_535), HTTPS_ONLY: flag(false), NAMES: list.optional() })

describe('loadEnv', () => {
  test('fills in defaults and converts text to values', () => {
    expect(loadEnv(Schema, { PORT: '8080', HTTPS_ONLY: 'true', NAMES: 'a, b,' })).toEqual({
      PORT: 8080,
      HTTPS_ONLY: true,
      NAMES: ['a', 'b'],
    })
    expect(loadEnv(Schema, { PORT: '' })).toEqual({ PORT: 3000, HTTPS_ONLY: false })
  })

  test.each([
    ['PORT', '0', 'PORT: Must be at least 1.'],
    ['PORT', '70000', 'PORT: Must be at most 65535.'],
    ['PORT', 'http', 'PORT: Must be a number.'],
    ['PORT', '1.5', 'PORT: Must be a whole number.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: Must be one of debug, info, warn, error, silent.'],
    ['REDIS_URL', 'localhost:6379', 'REDIS_URL: Must be a URL'],
    ['REDIS_URL', '', 'REDIS_URL: Is required.'],
  ])('for %s=%s, says what the value must be', (name, value, message) => {
    const servers = { DATABASE_URL: 'postgres://localhost/db', REDIS_URL: 'redis://localhost' }
    const [issue, ...others] = envIssues(CommonEnv.extend(Schema.shape), { ...servers, [name]: value })
    expect(issue?.slice(0, message.length)).toBe(message)
    expect(others).toEqual([])
  })

  test('reports all invalid values at once', () => {
    const load = () => loadEnv(Schema, { PORT: 'x', HTTPS_ONLY: 'perhaps' })
    expect(load).toThrow(EnvError)
    expect(load).toThrow(/PORT[\s\S]*HTTPS_ONLY/)
  })

  test('compares settings even if some are missing or wrong, and reports each issue once', () => {
    const Compared = Schema.extend({ KEY: z.string() }).refine((env) => env.NAMES !== undefined, {
      path: ['NAMES'],
      error: 'Is missed.',
    })
    expect(envIssues(Compared, { HTTPS_ONLY: 'perhaps' })).toEqual([
      expect.stringMatching(/^HTTPS_ONLY: /),
      'KEY: Is required.',
      'NAMES: Is missed.',
    ])
    expect(envIssues(Compared, { KEY: 'k' })).toEqual(['NAMES: Is missed.'])
  })
})

describe('a setting with a former name', () => {
  const Renamed = z.object({ BLOCKED_EGRESS_REST_SECONDS: count(30, 1, 900) })

  test.each([
    [{ BLOCKED_EXIT_REST_SECONDS: '5' }, 5],
    [{ BLOCKED_EXIT_REST_SECONDS: '5', BLOCKED_EGRESS_REST_SECONDS: '7' }, 7],
    [{ BLOCKED_EXIT_REST_SECONDS: '5', BLOCKED_EGRESS_REST_SECONDS: '' }, 5],
  ])('%j is read as %i', (settings, value) => {
    expect(loadEnv(Renamed, settings)).toEqual({ BLOCKED_EGRESS_REST_SECONDS: value })
    expect(findFormerNames(settings)).toEqual([
      { setting: 'BLOCKED_EXIT_REST_SECONDS', use: 'BLOCKED_EGRESS_REST_SECONDS' },
    ])
  })

  test('is checked under its present name', () => {
    const [issue] = envIssues(Renamed, { BLOCKED_EXIT_REST_SECONDS: '0' })
    expect(issue).toBe('BLOCKED_EGRESS_REST_SECONDS: Must be at least 1.')
  })

  test('is not reported if it is unset', () => {
    expect(findFormerNames({ BLOCKED_EXIT_REST_SECONDS: '', BLOCKED_EGRESS_REST_SECONDS: '5' })).toEqual([])
  })
})

test('CommonEnv gives running work 20 seconds after SIGTERM unless the settings say otherwise', () => {
  const servers = { DATABASE_URL: 'postgres://localhost/db', REDIS_URL: 'redis://localhost' }
  expect(loadEnv(CommonEnv, servers).SHUTDOWN_GRACE_SECONDS).toBe(20)
  expect(loadEnv(CommonEnv, { ...servers, SHUTDOWN_GRACE_SECONDS: '0' }).SHUTDOWN_GRACE_SECONDS).toBe(0)
})

test.each([
  ['HOST', '[::1]', 'without brackets'],
  ['REDIS_URL', 'redis://:p%zz@127.0.0.1', 'written as %25'],
  ['DATABASE_URL', 'postgres://a%:b@127.0.0.1/db', 'written as %25'],
  ['REDIS_URL', 'redis://:p%ff@127.0.0.1', 'written as %25'],
  ['PUBLIC_BASE_URL', 'https://user:secret@subtext.example.org', 'only a scheme'],
  ['PUBLIC_BASE_URL', 'https://subtext.example.org/path', 'only a scheme'],
  ['PUBLIC_BASE_URL', 'https://subtext.example.org/?x#y', 'only a scheme'],
  ['PUBLIC_BASE_URL', 'https://subtext.example.org/?', 'only a scheme'],
  ['PUBLIC_BASE_URL', 'https://subtext.example.org/#', 'only a scheme'],
])('refuses %s=%s, and says why without the value', (name, value, reason) => {
  const servers = { DATABASE_URL: 'postgres://localhost/db', REDIS_URL: 'redis://localhost' }
  const issues = envIssues(CommonEnv.extend(PublicEnv.shape), { ...servers, [name]: value })
  expect(issues).toEqual([expect.stringMatching(`^${name}: .*${reason}`)])
  expect(issues.join()).not.toContain(value)
})

test('accepts addresses of either family, host names, encoded passwords, and an origin with a slash', () => {
  const settings = {
    DATABASE_URL: 'postgresql:///db?host=/run/postgresql',
    REDIS_URL: 'rediss://:p%25@localhost/3',
    PUBLIC_BASE_URL: 'https://subtext.example.org:8443/',
  }
  for (const HOST of ['::1', '::', '0.0.0.0', 'localhost', 'api_1.internal']) {
    expect(envIssues(CommonEnv.extend(PublicEnv.shape), { ...settings, HOST })).toEqual([])
  }
})

describe('keyRing', () => {
  const hex = '0f'.repeat(32)
  const key = Buffer.from(hex, 'hex')

  test.each([
    ['hexadecimal', hex],
    ['capital hexadecimal', hex.toUpperCase()],
    ['base64', key.toString('base64')],
    ['base64 for URLs, without a remainder', key.toString('base64url')],
  ])('accepts a key in %s and names it after its hash', (_, text) => {
    const [first, ...others] = keyRing.parse(text)
    expect(first.key).toEqual(key)
    expect(first.id).toMatch(/^[0-9a-f]{8}$/)
    expect(first.id).toBe(keyRing.parse(hex)[0].id)
    expect(others).toEqual([])
  })

  test('accepts several named keys and keeps their order', () => {
    const ring = keyRing.parse(` k2:${'ab'.repeat(32)} , k1:${hex},${'cd'.repeat(32)}`)
    expect(ring.map(({ id }) => id)).toEqual(['k2', 'k1', expect.stringMatching(/^[0-9a-f]{8}$/)])
    expect(ring[1]?.key).toEqual(key)
  })

  test.each([
    'short',
    hex.slice(2),
    `${hex}00`,
    `${hex},`,
    `a b:${hex}`,
    `:${hex}`,
    key.toString('base64').slice(1),
    `k:${hex},k:${'ab'.repeat(32)}`,
    `${hex},${hex}`,
  ])('rejects %j without repeating it in the message', (text) => {
    const issues = envIssues(z.object({ KEYS: keyRing }), { KEYS: text })
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatch(/^KEYS: Must /)
    expect(issues[0]).not.toContain(text.slice(0, 5))
  })
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://[::1]:3000'],
])('a service that listens on %s is at %s, as seen from its own machine', (HOST, origin) => {
  expect(localOrigin({ HOST, PORT: 3_000 })).toBe(origin)
})

test('a service that is open to other machines, but names only its own, says what to set', () => {
  expect(describeOpenHost({ HOST: '0.0.0.0', PORT: 3_000 })).toMatch(/set PUBLIC_BASE_URL to .* http:\/\/[\d.]+:3000\./)
  const refuse = () => {
    throw new Error('uv_interface_addresses returned Unknown system error 97')
  }
  expect(describeOpenHost({ HOST: '0.0.0.0', PORT: 3_000 }, refuse)).toContain('http://192.0.2.10:3000.')
  expect(describeOpenHost({ HOST: '127.0.0.1', PORT: 3_000 })).toBeNull()
  expect(describeOpenHost({ HOST: '::', PORT: 3_000, PUBLIC_BASE_URL: 'https://subtext.example.org' })).toBeNull()
})
