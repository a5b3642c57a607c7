import { basename } from 'node:path'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { MAX_CAPTIONS_BYTES, ServiceError, type ValidationIssue, validationError } from '@subtext/contracts'
import type { Request } from 'express'

const FILE = 'file'
/** Parts whose values are JSON. */
const JSON_PARTS = new Set(['options', 'speakers'])
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 64 * 1024
const MAX_NAME_BYTES = 200

interface Parts {
  fields: Map<string, string>
  file: { bytes: Buffer; name: string } | null
  issues: ValidationIssue[]
}

const tooLarge = (): ServiceError =>
  new ServiceError('PAYLOAD_TOO_LARGE', {
    message: 'The file is too large. Send at most 10 MB.',
    details: { limit_bytes: MAX_CAPTIONS_BYTES },
  })

const malformed = (): ServiceError =>
  validationError([{ path: '', message: 'Is not valid `multipart/form-data`.', code: 'invalid_multipart' }])

const issue = (path: string, message: string, code: string): ValidationIssue => ({ path, message, code })

/** Whether a request has parts instead of JSON. */
export const isMultipart = (request: Request): boolean => request.is('multipart/form-data') === 'multipart/form-data'

function createParser(request: Request): BusboyInstance {
  const { 'content-type': contentType = '' } = request.headers
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fieldNameSize: MAX_NAME_BYTES,
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        fileSize: MAX_CAPTIONS_BYTES,
        files: 2,
        parts: MAX_FIELDS + 2,
      },
    })
  } catch {
    throw malformed()
  }
}

/** Reads the parts of a request. Nothing of a part beyond its limit is kept in memory. */
function readParts(request: Request): Promise<Parts> {
  const parser = createParser(request)
  const parts: Parts = { fields: new Map(), file: null, issues: [] }
  const refuse = (path: string, message: string, code: string): void =>
    void parts.issues.push(issue(path, message, code))
  return new Promise((resolve, reject) => {
    const fail = (error: ServiceError): void => {
      request.unpipe(parser)
      request.resume()
      reject(error)
    }
    parser.on('field', (name, value, _nameCut, isCut) => {
      if (parts.fields.has(name) || name === FILE) refuse(name, 'Must be sent once.', 'repeated_part')
      else if (isCut) refuse(name, `Must have at most ${MAX_FIELD_BYTES} bytes.`, 'too_big')
      parts.fields.set(name, value)
    })
    let files = 0
    parser.on('file', (name, stream, filename) => {
      const chunks: Buffer[] = []
      if (name !== FILE) refuse(name, `Unknown file \`${name}\`. Send the captions as \`${FILE}\`.`, 'unknown_field')
      else if (++files > 1) refuse(FILE, 'Must be sent once.', 'repeated_part')
      const isWanted = name === FILE && files === 1
      stream.on('data', (chunk: Buffer) => isWanted && chunks.push(chunk))
      stream.on('limit', () => fail(tooLarge()))
      stream.on('end', () => {
        if (isWanted) parts.file = { bytes: Buffer.concat(chunks), name: filename ?? '' }
      })
    })
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
      parser.on(limit, () => refuse('', 'Has too many parts.', 'too_many_parts'))
    }
    parser.on('error', () => fail(malformed()))
    parser.on('finish', () => resolve(parts))
    request.on('aborted', () => fail(malformed()))
    request.pipe(parser)
  })
}

function parseJsonPart(name: string, value: string, issues: ValidationIssue[]): unknown {
  try {
    return JSON.parse(value)
  } catch {
    issues.push(issue(name, 'Must be JSON.', 'invalid_json'))
    return undefined
  }
}

/** Returns what a title can be made of: the name of a file without its folder and, if more is left, its ending. */
const titleOf = (name: string): string =>
  basename(name.replaceAll('\\', '/'))
    .trim()
    .replace(/(?<=.)\.[A-Za-z0-9]{1,5}$/, '')
    .trim()

/**
 * Reads a body of parts as the JSON that says the same: the file is `captions`, and its name the title unless there is one.
 * Errors: `VALIDATION_ERROR`, `PAYLOAD_TOO_LARGE`, and those of `decode`.
 */
export async function readMultipartBody(
  request: Request,
  decode: (file: Uint8Array) => Promise<string>,
): Promise<Record<string, unknown>> {
  const { fields, file, issues } = await readParts(request)
  if (fields.has('captions'))
    issues.push(issue('captions', `Must not be sent beside \`${FILE}\`.`, 'conflicting_fields'))
  if (!file && !issues.some(({ path }) => path === FILE)) issues.push(issue(FILE, 'Is required.', 'required'))
  const sent = [...fields].filter(([name]) => name !== 'captions')
  const values = sent.map(([name, value]) => [name, JSON_PARTS.has(name) ? parseJsonPart(name, value, issues) : value])
  if (!file || issues.length > 0) throw validationError(issues)
  const title = titleOf(file.name)
  return { ...(title !== '' && { title }), ...Object.fromEntries(values), captions: await decode(file.bytes) }
}
