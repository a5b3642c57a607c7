import { API_PREFIX, type ErrorCode, ErrorEnvelope } from '@subtext/contracts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { closeSchemas } from './close-schemas.ts'
import {
  createOperationFinder,
  escapePointer,
  type HeaderObject,
  type OpenApiOperations,
  type ResponseObject,
} from './find-operation.ts'

export interface Exchange {
  method: string
  /** Path and query, as sent. */
  target: string
  status: number
  /** By name in lower case. */
  headers: Record<string, string>
  /** Absent if it was not recorded, for example because it is too long. */
  body?: string
}

/** Headers that the OpenAPI document does not describe: those of transport, caching and browser security. */
const PLAIN_HEADERS =
  /^(?:content-(?:type|length|encoding|security-policy)|transfer-encoding|date|connection|keep-alive|vary|cache-control|allow|x-accel-buffering|set-cookie|cross-origin-.*|origin-agent-cluster|referrer-policy|strict-transport-security|x-content-type-options|x-dns-prefetch-control|x-download-options|x-frame-options|x-permitted-cross-domain-policies|x-xss-protection)$/
/** The documentation itself, which is no operation. */
const PAGES = /^\/(?:openapi\.json|docs(?:\/.*)?)$/
/** Codes of responses for paths and methods that are not in the document. */
const CODES_WITHOUT_OPERATION: ErrorCode[] = [
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'HTTPS_REQUIRED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

/**
 * Returns a function that lists what is wrong with a response: everything that the document does not describe, and
 * everything that the document promises and the response lacks.
 */
export function createExchangeChecker(openApi: object): (exchange: Exchange) => string[] {
  const document = openApi as OpenApiOperations
  const find = createOperationFinder(document)
  const validate = createSchemaChecker(document)
  const common = Object.entries(document.components.headers).filter(([, header]) => header.required)

  function check(exchange: Exchange): string[] {
    const path = exchange.target.replace(/\?.*/s, '').slice(API_PREFIX.length)
    const operation = find(exchange.method, path)
    const ok = exchange.status < 400
    if (!operation) {
      const faults = ok && PAGES.test(path) ? [] : checkUnknown(exchange)
      return [...faults, ...common.flatMap(([name, header]) => checkHeader(name, header, exchange, true))]
    }
    const described = operation.responses[exchange.status]
    if (!described) return [`${exchange.status} is not a status of ${operation.operationId}`]
    const pointer = '$ref' in described ? described.$ref.slice(1) : `${operation.pointer}/responses/${exchange.status}`
    const expected = '$ref' in described ? resolveResponse(document, described.$ref) : described
    return [...checkHeaders(document, expected, exchange), ...checkContent(expected, pointer, exchange, validate)]
  }
  return (exchange) =>
    check(exchange).map((fault) => `${exchange.method} ${exchange.target} ${exchange.status}: ${fault}`)
}

const resolveResponse = ({ components }: OpenApiOperations, reference: string): ResponseObject =>
  components.responses[reference.slice('#/components/responses/'.length)] ?? {}

const mediaTypeOf = ({ headers }: Exchange): string | undefined => headers['content-type']?.split(';')[0]?.trim()

function checkUnknown({ method, status, headers, body }: Exchange): string[] {
  if (method === 'HEAD') return []
  if (body === undefined) return ['an error without a body']
  const parsed = ErrorEnvelope.strict().safeParse(parseJson(body))
  if (!parsed.success) return [`not an error envelope: ${parsed.error.message}`]
  const { code } = parsed.data.error
  return [
    ...(CODES_WITHOUT_OPERATION.includes(code) ? [] : [`${code} for a path or method that is not in the document`]),
    ...(status === 405 && headers.allow === undefined ? ['no Allow'] : []),
  ]
}

function checkHeaders(document: OpenApiOperations, expected: ResponseObject, exchange: Exchange): string[] {
  const described = Object.keys(expected.headers ?? {})
  const names = new Set(described.map((name) => name.toLowerCase()))
  return [
    ...described.flatMap((name) => {
      const header = document.components.headers[name]
      const required = header?.required === true || (name === 'Retry-After' && exchange.status === 429)
      return header ? checkHeader(name, header, exchange, required) : [`${name} is not among the components`]
    }),
    ...Object.keys(exchange.headers)
      .filter((name) => !names.has(name) && !PLAIN_HEADERS.test(name))
      .map((name) => `header ${name} is not described`),
  ]
}

function checkHeader(name: string, { schema }: HeaderObject, { headers }: Exchange, required: boolean): string[] {
  const value = headers[name.toLowerCase()]
  if (value === undefined) return required ? [`no ${name}`] : []
  const fits = schema.const === undefined ? schema.type !== 'integer' || /^\d+$/.test(value) : value === schema.const
  return fits ? [] : [`${name}: ${value} is not ${schema.const ?? schema.type}`]
}

type Validate = (pointer: string, value: unknown) => string[]

/** Returns a function that validates a value against the schema at a JSON Pointer of the document, and lists the faults. */
export function createSchemaChecker(document: object): Validate {
  // Each validator runs too rarely for the optimization of its code to pay: that took a third of the time of compiling.
  const ajv = new Ajv2020({ strict: false, discriminator: true, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema(closeSchemas(document), 'api')
  const compiled = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    const known = compiled.get(pointer) ?? ajv.getSchema(`api#${encodeURI(pointer)}`)
    if (!known) return [`${pointer} is not a schema`]
    compiled.set(pointer, known)
    return known(value) ? [] : [`${ajv.errorsText(known.errors, { dataVar: 'body' })} (${describe(known.errors)})`]
  }
}

const describe = (errors: ValidateFunction['errors']): string =>
  (errors ?? []).map(({ schemaPath, params }) => `${schemaPath} ${JSON.stringify(params)}`).join('; ')

function checkContent({ content }: ResponseObject, pointer: string, exchange: Exchange, validate: Validate): string[] {
  const { method, body } = exchange
  if (!content) return body ? ['a body that is not described'] : []
  const type = mediaTypeOf(exchange)
  if (type === undefined || !(type in content)) return [`media type ${type} is not described`]
  if (method === 'HEAD' || body === undefined) return []
  const schema = `${pointer}/content/${escapePointer(type)}/schema`
  if (type === 'text/event-stream')
    return parseEvents(body).flatMap((event) => validate(`${schema}/contentSchema/items`, event))
  return type === 'application/json' ? validate(schema, parseJson(body)) : validate(schema, body)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses the events of a stream that carry data. Comments and `retry` fields are skipped. */
const parseEvents = (stream: string): unknown[] =>
  stream
    .split('\n\n')
    .map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string])))
    .filter(({ data }) => data !== undefined)
    .map(({ event, id, data = '' }) => ({ event, id, data: parseJson(data) }))
