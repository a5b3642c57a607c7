import { anyCharacter, anyWebUrl } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { anyValue, rawBody, validBody } from './arbitraries.ts'

/** Part of an OpenAPI document or of a JSON Schema. */
type Json = Record<string, unknown>

export interface GeneratedRequest {
  operation: string
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** Existing values that requests may use. */
export interface Known {
  /** Values of path parameters that exist, by name of the parameter. */
  ids: Record<string, string[]>
  /** Other values for an operation that deletes what others need, by its ID. */
  deletable: Record<string, Record<string, string[]>>
  keys: string[]
  /** What browsers send in which people have signed in. */
  sessions: Record<string, string>[]
}

interface Operation {
  operationId: string
  /** Present if the operation takes other credentials than the document says for all. */
  security?: Json[]
  parameters?: { name: string; in: string; schema: Json; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: Json; examples?: Record<string, { value: unknown }> }> }
}

/** Generates requests to operations of the document, by default to all: valid ones, changed ones, and complete nonsense. */
export function requestsOf(document: Json, known: Known, only?: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  const { paths, servers } = document as { paths: Record<string, Json>; servers: { url: string }[] }
  const base = new URL(servers[0]?.url ?? '').pathname
  const values = (schema: Json) => valuesOf(schema, document)
  const each = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => ({ method, operation: operation as Operation }))
      .filter(({ operation }) => only?.includes(operation.operationId) ?? true)
      .map(({ method, operation }) => requestOf(`${base}${path}`, method, operation, known, values)),
  )
  return fc.oneof(...each)
}

type ValuesOf = (schema: Json) => fc.Arbitrary<unknown>

function requestOf(
  path: string,
  method: string,
  operation: Operation,
  known: Known,
  values: ValuesOf,
): fc.Arbitrary<GeneratedRequest> {
  return fc
    .record({
      path: pathOf(path, { ...known.ids, ...known.deletable[operation.operationId] }),
      query: queryOf(operation, values),
      headers: headersOf(operation, known, values),
      body: bodyOf(operation, values),
    })
    .map(({ path: filled, query, headers, body }) => ({
      operation: operation.operationId,
      method: method.toUpperCase(),
      target: query === '' ? filled : `${filled}?${query}`,
      headers: { ...headers, ...(body && { 'Content-Length': String(body.length) }) },
      body,
    }))
}

const SEGMENTS = ['', '.', '..', '%', '%00', '%2e%2e', '%E0%A4%A', 'null', '0', '-1', "'", 'a'.repeat(2_000)]

/** Fills each placeholder with an existing value, arbitrary text, or a crafted value. */
function pathOf(path: string, known: Known['ids']): fc.Arbitrary<string> {
  const parts = path.split(/(\{\w+\})/).map((part): fc.Arbitrary<string> => {
    if (!part.startsWith('{')) return fc.constant(part)
    const ids = known[part.slice(1, -1)] ?? []
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...ids, '00000000-0000-7000-8000-000000000000') },
      { weight: 1, arbitrary: fc.constantFrom(...SEGMENTS) },
      { weight: 1, arbitrary: anyText.map(encodeURIComponent) },
    )
  })
  return fc.tuple(...parts).map((texts) => texts.join(''))
}

/** Well-formed, because other text cannot be percent-encoded. */
const anyText = fc.string({ unit: anyCharacter, maxLength: 60 }).map((text) => text.toWellFormed())

/** Generates described parameters, sometimes repeated, changed, or next to unknown ones. */
function queryOf({ parameters = [] }: Operation, values: ValuesOf): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'query')
  const described = names.map(({ name, schema, example }) => {
    const valid = example === undefined ? values(schema) : fc.oneof(values(schema), fc.constant(example))
    return fc.tuple(fc.constant(name), fc.oneof({ weight: 4, arbitrary: valid }, crafted))
  })
  const unknown = fc.tuple(fc.oneof(anyText, fc.constantFrom('__proto__', 'api_key', 'limit[]', 'a[b]')), crafted)
  const pair = fc.oneof(...described.map((arbitrary) => ({ weight: 6, arbitrary })), { weight: 1, arbitrary: unknown })
  return fc.oneof(
    // Where nothing is described, every parameter is wrong: without enough empty queries no request would succeed.
    { weight: described.length === 0 ? 8 : 1, arbitrary: fc.constant('') },
    {
      weight: 3,
      arbitrary: fc
        .array(pair, { maxLength: 3 })
        .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')),
    },
    { weight: 1, arbitrary: fc.constantFrom('&&==', '%', '%FF=%FE', '?'.repeat(50), `a=${'b'.repeat(4_000)}`) },
  )
}

const encode = (value: unknown): string =>
  encodeURIComponent((typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed())

const crafted: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('', '0', '-1', '1e3', '9'.repeat(40), '0x10', 'NaN', 'null', 'true', '٣', '\u0000', '2026-02-30'),
  anyText,
)

const ACCEPTS = [
  '*/*',
  'text/html',
  'application/json',
  'text/csv;q=0.5',
  'image/png',
  'a/b;q=2',
  ';',
  'text/*',
  'x'.repeat(900),
]
const ENCODINGS = ['gzip', 'br', 'identity;q=0', '*', 'x']
/** Any text that a header can carry. */
const headerText = fc.stringMatching(/^[ -~]{0,300}$/)

/** Generates credentials that are mostly of the kind that the operation takes. */
function credentialsOf({ security }: Operation, { keys, sessions }: Known): fc.Arbitrary<Record<string, string>> {
  const takesSessions = security?.some((scheme) => 'session' in scheme) === true
  const key = fc.constantFrom(...keys).map((value) => ({ 'X-API-Key': value }))
  const session = fc.constantFrom(...sessions)
  return fc.oneof(
    { weight: 20, arbitrary: takesSessions ? session : key },
    { weight: 1, arbitrary: takesSessions ? key : session },
    { weight: 1, arbitrary: session.map(({ Origin: _, ...headers }) => headers) },
    { weight: 1, arbitrary: headerText.map((value) => ({ 'X-API-Key': value })) },
    { weight: 1, arbitrary: fc.record({ Cookie: headerText, Origin: headerText }) },
    { weight: 1, arbitrary: fc.constant({}) },
  )
}

function headersOf(operation: Operation, known: Known, values: ValuesOf): fc.Arbitrary<Record<string, string>> {
  const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header')
  const optional = (arbitrary: fc.Arbitrary<unknown>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
  return fc
    .record({
      credentials: credentialsOf(operation, known),
      Accept: optional(fc.constantFrom(...ACCEPTS)),
      'Accept-Encoding': optional(fc.constantFrom(...ENCODINGS)),
      'X-Request-Id': optional(headerText),
      'If-None-Match': optional(fc.oneof(fc.constant('*'), headerText)),
      'Last-Event-ID': optional(headerText),
      'Idempotency-Key': optional(fc.oneof(headerText, fc.constantFrom('key-1', 'key-2', 'key-3'))),
      ...Object.fromEntries(
        described.map(({ name, schema }) => [name, optional(values(schema).map((value) => toHeader(value)))]),
      ),
    })
    .map(
      ({ credentials, ...headers }) =>
        Object.fromEntries(
          Object.entries({ ...credentials, ...headers }).filter(([, value]) => value !== undefined),
        ) as Record<string, string>,
    )
    .chain((headers) =>
      fc
        .constantFrom('application/json', 'application/json', 'application/json', 'text/plain', '')
        .map((type) => (type === '' ? headers : { ...headers, 'Content-Type': type })),
    )
}

const toHeader = (value: unknown): string => String(value).replace(/[^ -~]/g, '')

function bodyOf({ requestBody }: Operation, values: ValuesOf): fc.Arbitrary<Buffer | undefined> {
  const { schema, examples = {} } = requestBody?.content['application/json'] ?? {}
  if (!schema) return fc.constant(undefined)
  const written = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '')
  const shown = Object.values(examples).map(({ value }) => ({ weight: 3, arbitrary: fc.constant(written(value)) }))
  return fc.oneof(
    ...shown,
    { weight: 4, arbitrary: values(schema).map(written) },
    { weight: 2, arbitrary: validBody.map(written) },
    { weight: 2, arbitrary: rawBody },
    { weight: 1, arbitrary: fc.constantFrom(...HEAVY) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

const HEAVY = [
  Buffer.from('['.repeat(60_000)),
  Buffer.from(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
  Buffer.from(`{"url":"${'a'.repeat(70_000)}"}`),
  Buffer.alloc(30_000),
]

/** How often a value is anything instead of what the schema allows. */
const MUTATION = { weight: 1, arbitrary: anyValue }

/** Generates values of a JSON Schema and, at any depth, sometimes anything else. */
function valuesOf(schema: Json, document: Json, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: validValuesOf(resolve(schema, document), document, depth) }, MUTATION)
}

/** Beyond this depth, values have only what their schema requires, because a schema may contain itself. */
const MAX_DEPTH = 10

function validValuesOf(schema: Json, document: Json, depth: number): fc.Arbitrary<unknown> {
  const isDeep = depth >= MAX_DEPTH
  const inner = (part: unknown): fc.Arbitrary<unknown> => valuesOf(part as Json, document, depth + 1)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return fc.oneof(...(isDeep ? choices.slice(0, 1) : choices).map(inner))
  if (Array.isArray(schema.examples) && depth % 2 === 1) return fc.constantFrom(...schema.examples)
  switch (schema.type) {
    case 'object': {
      const required = (schema.required ?? []) as string[]
      const properties = Object.entries((schema.properties ?? {}) as Json)
        .filter(([name]) => !isDeep || required.includes(name))
        .map(([name, part]) => [name, inner(part)])
      return fc.record(Object.fromEntries(properties), { requiredKeys: required as never[] })
    }
    case 'array':
      if (isDeep && !schema.minItems) return fc.constant([])
      return fc.array(inner(schema.items ?? {}), { maxLength: Math.min(Number(schema.maxItems ?? 4), 4) })
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -5), max: Number(schema.maximum ?? 1_000) })
    case 'number':
      return fc.double({ min: Number(schema.minimum ?? -5), max: Number(schema.maximum ?? 1_000), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'string':
      if (schema.format === 'uri') return anyWebUrl('http', 'https')
      return fc.string({ unit: anyCharacter, minLength: Number(schema.minLength ?? 0), maxLength: 60 })
    default:
      return anyValue
  }
}

function resolve(schema: Json, document: Json): Json {
  if (typeof schema.$ref !== 'string') return schema
  const target = schema.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((part: unknown, name) => (part as Json)[name], document)
  return resolve(target as Json, document)
}
