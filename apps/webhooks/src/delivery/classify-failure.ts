import { AddressRefusedError } from '@subtext/core/webhooks'

/** Reasons why there was no response, as their owner and the metrics see them. */
export const FAILURES = [
  'timeout',
  'dns',
  'refused',
  'unreachable',
  'tls',
  'reset',
  'invalid_response',
  'connection',
  'address_refused',
] as const
export type SendFailure = (typeof FAILURES)[number]

const BY_CODE: Record<string, SendFailure> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  EPROTO: 'tls',
}

/** Codes of OpenSSL and of Node.js about certificates and handshakes. */
const TLS_CODE = /^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_|^DEPTH_ZERO|^HOSTNAME_MISMATCH|^INVALID_CA|^PATH_LENGTH_EXCEEDED/
/** Returns why an attempt got no response. */
export function classifyFailure(error: unknown): SendFailure {
  if (error instanceof AddressRefusedError) return 'address_refused'
  const {
    code = '',
    name,
    syscall = '',
    cause,
    errors,
  } = (error ?? {}) as NodeJS.ErrnoException & { errors?: unknown[] }
  // Of several addresses of a name, each has failed.
  if (Array.isArray(errors) && errors.length > 0) return classifyFailure(errors[0])
  if (/^(?:query|getaddrinfo)/.test(syscall) || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns'
  const known = BY_CODE[code]
  if (known) return known
  if (TLS_CODE.test(code)) return 'tls'
  // Its code is not always set.
  if (name === 'HTTPParserError') return 'invalid_response'
  return cause === undefined ? 'connection' : classifyFailure(cause)
}
