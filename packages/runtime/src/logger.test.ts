import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLogger, redact } from './logger.ts'
import { withLogFields } from './work-context.ts'

const setHeader = (value: string): void => new Headers().set('x-api-key', value)
function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('redact', () => {
  test('redacts secrets by the name of their field, at any depth', () => {
    expect(redact({ headers: { Authorization: 'Basic abc', accept: '*/*' } })).toEqual({
      headers: { Authorization: '[redacted]', accept: '*/*' },
    })
  })

  test('redacts keys, webhook secrets, bearer tokens and URL credentials within text', () => {
    const key = `sk_${'a1'.repeat(32)}`
    expect(redact(`key ${key} failed`)).toBe('key [redacted] failed')
    expect(redact('secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=')).toBe('secret [redacted]')
    expect(redact('header Bearer abc.def')).toBe('header [redacted]')
    expect(redact('to postgres://admin:pw@host/db')).toBe('to postgres://[redacted]@host/db')
  })

  test('redacts values of headers that the runtime refuses, which it shows with their line breaks', () => {
    for (const call of [(value: string) => new Headers({ 'x-api-key': value }), setHeader]) {
      const shown = JSON.stringify(redact(thrownBy(() => call('Bearer top\nsecret"value'))))
      expect(shown).toMatch(/\[redacted\]/)
      expect(shown).not.toMatch(/top|secret"|value" is/)
    }
    const long = thrownBy(() => setHeader(`s\n${'s'.repeat(10_000)}`))
    expect(JSON.stringify(redact(long))).not.toContain('ssss')
  })

  test('expands errors with their cause and redacts their messages', () => {
    const error = new Error('outer', { cause: new Error('for https://u:p@example.org/') })
    expect(redact(error)).toMatchObject({ message: 'outer', cause: { message: 'for https://[redacted]@example.org/' } })
  })

  test('handles cycles and long texts', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(JSON.stringify(redact(cycle))).toContain('[deep]')
    expect((redact('x'.repeat(10_000)) as string).length).toBe(4_000)
  })

  test('keeps token counts', () => {
    expect(redact({ input_tokens: 12, duration_ms: 3 })).toEqual({ input_tokens: 12, duration_ms: 3 })
  })
})

describe('createLogger', () => {
  const stdout = process.stdout.write
  let written: string[]
  beforeEach(() => {
    written = []
    process.stdout.write = ((text: string) => written.push(text) > 0) as typeof stdout
  })
  afterEach(() => {
    process.stdout.write = stdout
  })

  test('writes one JSON object per line, with the fields of withLogFields', async () => {
    const log = createLogger('api', 'info')
    withLogFields({ request_id: 'r-1' }, () => log.info('request', { status: 200, authorization: 'Bearer x' }))
    log.debug('not shown')
    await nextTurn()
    expect(written.map((text) => JSON.parse(text))).toEqual([
      expect.objectContaining({
        level: 'info',
        message: 'request',
        service: 'api',
        request_id: 'r-1',
        status: 200,
        authorization: '[redacted]',
        timestamp: expect.stringMatching(/^\d{4}-/),
      }),
    ])
  })

  test('escapes characters that terminals and editors obey', async () => {
    const text = '\u001b[31m\u007f\u009b31m\u061c\u200e\u200f\u202e\u2066\u2069\u2028 é 日本語 😀'
    createLogger('mcp', 'info').info('refused', { reason: text, [text]: 1 })
    await nextTurn()
    expect(written.join('').trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
    expect(written.join('')).toContain('\\u009b31m')
    expect(written.join('')).toContain(' é 日本語 😀')
    expect(JSON.parse(written.join(''))).toMatchObject({ reason: text, [text]: 1 })
  })

  test('begins each line with its time, level and message', async () => {
    createLogger('api', 'info').warn('first', { attempt: 1 })
    await nextTurn()
    expect(Object.keys(JSON.parse(written.join(''))).slice(0, 3)).toEqual(['timestamp', 'level', 'message'])
  })

  test('writes values that JSON does not have', async () => {
    const cycle: Record<string, unknown> = { count: 12n, at: new Date(0), absent: undefined }
    cycle.self = cycle
    createLogger('api', 'info').error('failed', { error: new Error('outer'), cycle })
    await nextTurn()
    expect(JSON.parse(written.join(''))).toMatchObject({
      level: 'error',
      message: 'failed',
      error: { name: 'Error', message: 'outer', stack: expect.stringContaining('logger.test') },
      cycle: { count: '12', at: '1970-01-01T00:00:00.000Z', self: { self: expect.anything() } },
    })
  })

  test('writes the lines of one turn of the event loop at once, in order, whichever logger they are of', async () => {
    const [api, worker] = [createLogger('api', 'info'), createLogger('worker', 'info')]
    api.info('one')
    worker.info('two')
    api.info('three')
    await nextTurn()
    api.info('four')
    await nextTurn()
    const messages = written.map((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).message),
    )
    expect(messages).toEqual([['one', 'two', 'three'], ['four']])
  })
})
