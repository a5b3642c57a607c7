import { buildErrorBody, buildMeta, ErrorBody, Meta } from './envelope.ts'
import { ERRORS, ServiceError } from './errors.ts'

describe('buildErrorBody', () => {
  test('replaces the message of an internal error', () => {
    const error = new ServiceError('INTERNAL_ERROR', { message: 'relation "users" does not exist at 10.0.0.7' })
    const body = buildErrorBody(error, 'https://api.example.org')
    expect(body.message).toBe(ERRORS.INTERNAL_ERROR.message)
    expect(JSON.stringify(body)).not.toMatch(/users|10\.0/)
  })

  test('links to the documentation of the code', () => {
    const body = buildErrorBody(new ServiceError('GEO_BLOCKED'), 'https://api.example.org')
    expect(ErrorBody.parse(body)).toEqual({
      code: 'GEO_BLOCKED',
      message: ERRORS.GEO_BLOCKED.message,
      retryable: false,
      docs_url: 'https://api.example.org/api/v1/docs/errors#GEO_BLOCKED',
    })
  })
})

describe('buildMeta', () => {
  test('omits warnings if there are none', () => {
    const meta = buildMeta('request-1', new Date('2026-01-02T03:04:05.678Z'), [])
    expect(Meta.parse(meta)).toEqual({ request_id: 'request-1', timestamp: '2026-01-02T03:04:05.678Z', version: 'v1' })
    expect(meta).not.toHaveProperty('warnings')
  })

  test('keeps the order of the warnings', () => {
    const warnings = [
      { code: 'TRANSCRIPT_TRUNCATED' as const, message: 'Cut.' },
      { code: 'DEPRECATED_FIELD' as const, message: 'Old.' },
    ]
    expect(buildMeta('request-1', new Date(0), warnings).warnings).toEqual(warnings)
  })
})
