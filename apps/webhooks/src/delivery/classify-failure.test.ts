import { AddressRefusedError } from '@subtext/core/webhooks'
import { classifyFailure } from './classify-failure.ts'

const error = (properties: object): Error => Object.assign(new Error('x'), properties)

test.each<[string, unknown]>([
  ['dns', error({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
  ['dns', error({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' })],
  ['dns', error({ code: 'ETIMEOUT', syscall: 'queryA' })],
  ['refused', error({ code: 'ECONNREFUSED' })],
  ['refused', Object.assign(new AggregateError([error({ code: 'ECONNREFUSED' }), error({ code: 'ENETUNREACH' })]))],
  ['refused', error({ cause: error({ code: 'ECONNREFUSED' }) })],
  ['unreachable', error({ code: 'EHOSTUNREACH' })],
  ['reset', error({ code: 'ECONNRESET' })],
  ['reset', error({ code: 'UND_ERR_SOCKET' })],
  ['timeout', error({ code: 'ETIMEDOUT' })],
  ['timeout', error({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
  ['tls', error({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
  ['tls', error({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })],
  ['tls', error({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })],
  ['tls', error({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' })],
  ['tls', error({ code: 'CERT_HAS_EXPIRED' })],
  ['invalid_response', error({ name: 'HTTPParserError' })],
  ['address_refused', new AddressRefusedError()],
  ['connection', error({ code: 'ESOMETHING' })],
  ['connection', undefined],
])('calls it %s: %s', (failure, thrown) => {
  expect(classifyFailure(thrown)).toBe(failure)
})
