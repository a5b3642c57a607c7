import { ServiceError } from '@subtext/contracts'
import express, { type Request, type Response } from 'express'
import { findJsonError } from './find-json-error.ts'

export const MAX_BODY_BYTES = 64 * 1024
export const MAX_DEPTH = 20

/** Reads a body of at most `limit` bytes, whatever length the headers announce. */
const createRawReader = (limit: number) => express.raw({ type: () => true, limit, inflate: false })
const readers = new Map<number, ReturnType<typeof createRawReader>>()

const KB = 1_024
const MILLION = 1_000_000
const formatBytes = (bytes: number): string =>
  bytes % MILLION === 0 ? `${bytes / MILLION} MB` : bytes < KB * KB ? `${bytes / KB} KB` : `${bytes / KB / KB} MB`

const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('PAYLOAD_TOO_LARGE', {
    message: `The request body is too large. Send at most ${formatBytes(maxBytes)}.`,
    details: { limit_bytes: maxBytes },
  })

const invalidJson = (message: string): ServiceError => new ServiceError('INVALID_JSON', { message })

/** Errors of the body parser by their `type`, which body-parser documents. */
const READ_ERRORS: Record<string, ServiceError> = {
  'encoding.unsupported': new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
    message: 'Compressed request bodies are not supported. Send the body without Content-Encoding.',
  }),
  'request.aborted': invalidJson('The request body ended before all of it had arrived.'),
  'request.size.invalid': invalidJson('The length of the request body does not match Content-Length.'),
}

/** Whether a request has no body at all. */
export const hasNoBody = ({ headers }: Pick<Request, 'headers'>): boolean =>
  !Number(headers['content-length']) && headers['transfer-encoding'] === undefined

/** Reads and parses a JSON body. Size and nesting are checked before anything is parsed. */
export async function readJsonBody(
  request: Request,
  response: Response,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<unknown> {
  // Null means that there is no body; the check for an empty body below reports that.
  if (request.is('application/json') === false) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  // The parser would read all of a body before refusing it.
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
  const readRaw = readers.get(maxBytes) ?? createRawReader(maxBytes)
  readers.set(maxBytes, readRaw)
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => (error ? reject(translateReadError(error, maxBytes)) : resolve()))
  })
  const bytes: unknown = request.body
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalidJson('The request body is empty. Send a JSON object.')
  if (nestsDeeperThan(bytes, MAX_DEPTH)) {
    throw invalidJson(`The request body is nested deeper than ${MAX_DEPTH} levels.`)
  }
  return parseJson(bytes)
}

function translateReadError(error: unknown, maxBytes: number): unknown {
  const type = error instanceof Error && 'type' in error ? String(error.type) : ''
  if (type === 'entity.too.large') return tooLarge(maxBytes)
  return READ_ERRORS[type] ?? error
}

function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    const { line = 1, column = 1, expected = 'JSON' } = findJsonError(text) ?? {}
    throw invalidJson(`The request body is not valid JSON: expected ${expected} at line ${line}, column ${column}.`)
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidJson('The request body is not UTF-8, the encoding of JSON.')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set<number | undefined>([0x5b, 0x7b])
const CLOSING = new Set<number | undefined>([0x5d, 0x7d])

/**
 * Returns whether JSON text is nested deeper than `limit` levels, by counting brackets outside strings. Deep nesting would
 * exhaust the stack of any recursive function that walks the parsed value.
 */
export function nestsDeeperThan(json: Buffer, limit: number): boolean {
  let depth = 0
  let inString = false
  // Iterating the buffer takes several times as long as indexing it.
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    if (inString) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (OPENING.has(byte) && ++depth > limit) return true
    else if (CLOSING.has(byte)) depth--
  }
  return false
}
