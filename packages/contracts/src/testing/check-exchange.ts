import { API_PREFIX, type ErrorCode, ErrorEnvelope } from '@subtext/contracts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { closeSchemas } from './close-schemas.ts'
import {
  createOperationFinder,
  escapePointer,
  type HeaderTerms,
  type OpenApiDocument,
  type ResponseTerms,
} from './find-operation.ts'

export interface Exchange {
  method: string
  /** As sent: path and query. */
  target: string
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Absent where it was not kept, such as one that is too long. */
  body?: string
}

/** What an OpenAPI document does not speak of: transport, caching and the browser's safety. */
const PLAIN_HEADERS =
  /^(?:content-(?:type|length|encoding|security-policy)|transfer-encoding|date|connection|keep-alive|vary|cache-control|allow|x-accel-buffering|cross-origin-.*|origin-agent-cluster|referrer-policy|strict-transport-security|x-content-type-options|x-dns-prefetch-control|x-download-options|x-frame-options|x-permitted-cross-domain-policies|x-xss-protection)$/
/** Documentation itself: no operations. */
const PAGES = /^\/(?:openapi\.json|docs(?:\/.*)?)$/
/** What a path or method that the document does not have may be answered with. */
const CODES_OF_NO_OPERATION: ErrorCode[] = [
  ...(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'HTTPS_REQUIRED'] as const),
  ...(['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const),
]

/** Finds everything in an answer that the document does not describe, and what it promises and the answer lacks. */
export function createExchangeChecker(openApi: object): (exchange: Exchange) => string[] {
  const document = openApi as OpenApiDocument
  const find = createOperationFinder(document)
  const validate = createSchemaChecker(document)
  const common = Object.entries(document.components.headers).filter(([, terms]) => terms.required)

  function check(exchange: Exchange): string[] {
    const path = exchange.target.replace(/\?.*/s, '').slice(API_PREFIX.length)
    const operation = find(exchange.method, path)
    const ok = exchange.status < 400
    if (!operation) {
      const faults = ok && PAGES.test(path) ? [] : checkUnknown(exchange)
      return [...faults, ...common.flatMap(([name, terms]) => checkHeader(name, terms, exchange, true))]
    }
    const answer = operation.responses[exchange.status]
    if (!answer) return [`${exchange.status} is not a status of ${operation.operationId}`]
    const pointer = '$ref' in answer ? answer.$ref.slice(1) : `${operation.pointer}/responses/${exchange.status}`
    const terms = '$ref' in answer ? resolveResponse(document, answer.$ref) : answer
    return [...checkHeaders(document, terms, exchange), ...checkContent(terms, pointer, exchange, validate)]
  }
  return (exchange) =>
    check(exchange).map((fault) => `${exchange.method} ${exchange.target} ${exchange.status}: ${fault}`)
}

const resolveResponse = ({ components }: OpenApiDocument, reference: string): ResponseTerms =>
  components.responses[reference.slice('#/components/responses/'.length)] ?? {}

const mediaTypeOf = ({ headers }: Exchange): string | undefined => headers['content-type']?.split(';')[0]?.trim()

function checkUnknown({ method, status, headers, body }: Exchange): string[] {
  if (method === 'HEAD') return []
  if (body === undefined) return ['no body where nothing is served']
  const parsed = ErrorEnvelope.strict().safeParse(parseJson(body))
  if (!parsed.success) return [`no error envelope: ${parsed.error.message}`]
  const { code } = parsed.data.error
  return [
    ...(CODES_OF_NO_OPERATION.includes(code) ? [] : [`${code} where nothing is served`]),
    ...(status === 405 && headers.allow === undefined ? ['no Allow'] : []),
  ]
}

function checkHeaders(document: OpenApiDocument, terms: ResponseTerms, exchange: Exchange): string[] {
  const described = Object.keys(terms.headers ?? {})
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

function checkHeader(name: string, { schema }: HeaderTerms, { headers }: Exchange, required: boolean): string[] {
  const value = headers[name.toLowerCase()]
  if (value === undefined) return required ? [`no ${name}`] : []
  const fits = schema.const === undefined ? schema.type !== 'integer' || /^\d+$/.test(value) : value === schema.const
  return fits ? [] : [`${name}: ${value} is not ${schema.const ?? schema.type}`]
}

type Validate = (pointer: string, value: unknown) => string[]

/** Holds values against schemas of the document, which are named by their JSON Pointers; says what is wrong. */
export function createSchemaChecker(document: object): Validate {
  const ajv = new Ajv2020({ strict: false, discriminator: true })
  formats.default(ajv)
  ajv.addSchema(closeSchemas(document), 'api')
  const compiled = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    const known = compiled.get(pointer) ?? ajv.getSchema(`api#${encodeURI(pointer)}`)
    if (!known) return [`${pointer} is no schema`]
    compiled.set(pointer, known)
    return known(value) ? [] : [`${ajv.errorsText(known.errors, { dataVar: 'body' })} (${describe(known.errors)})`]
  }
}

const describe = (errors: ValidateFunction['errors']): string =>
  (errors ?? []).map(({ schemaPath, params }) => `${schemaPath} ${JSON.stringify(params)}`).join('; ')

function checkContent({ content }: ResponseTerms, pointer: string, exchange: Exchange, validate: Validate): string[] {
  const { method, body } = exchange
  if (!content) return body ? ['a body where none is described'] : []
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

/** The events that carry data; comments and pauses are passed over. */
const parseEvents = (stream: string): unknown[] =>
  stream
    .split('\n\n')
    .map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string])))
    .filter(({ data }) => data !== undefined)
    .map(({ event, id, data = '' }) => ({ event, id, data: parseJson(data) }))
