import { type Media, type OpenApiDocument, type OpenApiOperation, resolveRef } from './document.ts'
import { describeField, describeForms, type Field, type Form } from './fields.ts'

export interface ReferenceParameter extends Field {
  in: 'path' | 'query' | 'header'
  example: string
}

export interface ReferenceExample {
  summary: string
  /** JSON, or the text of a document. */
  text: string
  language: 'json' | 'text'
}

export interface ReferenceResponse {
  status: string
  /** Markdown. */
  description: string
  /** Codes of the errors with this status. */
  codes: string[]
  mediaTypes: string[]
  /** Of `data` in the envelope. */
  forms: Form[]
  examples: ReferenceExample[]
}

/** An operation, or an event that is sent to a webhook. */
export interface ReferenceOperation {
  id: string
  tag: string
  method: string
  path: string
  summary: string
  /** Markdown. */
  description: string
  needsKey: boolean
  isEvent: boolean
  parameters: ReferenceParameter[]
  body: { forms: Form[]; examples: ReferenceExample[] } | null
  responses: ReferenceResponse[]
}

export interface ReferenceGroup {
  name: string
  description: string
  operations: ReferenceOperation[]
}

export interface Reference {
  title: string
  version: string
  summary: string
  /** Markdown. */
  description: string
  /** The address that all paths are relative to. */
  server: string
  groups: ReferenceGroup[]
}

const JSON_TYPE = 'application/json'

const writeExample = (value: unknown): Pick<ReferenceExample, 'text' | 'language'> =>
  typeof value === 'string'
    ? { text: value, language: 'text' }
    : { text: JSON.stringify(value, null, 2), language: 'json' }

function readExamples(document: OpenApiDocument, { examples = {}, example }: Media): ReferenceExample[] {
  const named = Object.values(examples).map((each) => {
    const { summary = '', value } = resolveRef(document, each)
    return { summary, ...writeExample(value) }
  })
  return named.length > 0 || example === undefined ? named : [{ summary: '', ...writeExample(example) }]
}

function describeResponse(document: OpenApiDocument, status: string, raw: object): ReferenceResponse {
  const { description = '', content = {} } = resolveRef(document, raw) as OpenApiOperation['responses'][string]
  const json = content[JSON_TYPE]
  const isError = Number(status) >= 400
  const data = json?.schema?.properties?.data
  const [media] = Object.values(content)
  return {
    status,
    description: isError ? '' : description,
    codes: isError ? Object.keys(json?.examples ?? {}) : [],
    mediaTypes: isError ? [] : Object.keys(content),
    forms: data ? describeForms(document, data) : [],
    examples: isError || !media ? [] : readExamples(document, json ?? media),
  }
}

function describeOperation(
  document: OpenApiDocument,
  { method, path, isEvent }: Pick<ReferenceOperation, 'method' | 'path' | 'isEvent'>,
  operation: OpenApiOperation,
): ReferenceOperation {
  const { operationId, tags, summary, description = '', security, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content[JSON_TYPE]
  return {
    id: operationId,
    tag: tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary,
    description,
    needsKey: security === undefined,
    isEvent,
    parameters: parameters.map((raw) => {
      const parameter = resolveRef(document, raw)
      const { name, required, schema, example } = parameter
      const field = describeField(document, name, schema, { required })
      const text = example === undefined ? '' : String(example)
      return { ...field, description: parameter.description ?? field.description, in: parameter.in, example: text }
    }),
    body: body ? { forms: describeForms(document, body.schema ?? {}), examples: readExamples(document, body) } : null,
    responses: Object.entries(responses).map(([status, raw]) => describeResponse(document, status, raw)),
  }
}

/** Reads an OpenAPI document into what a reader is shown, in the order of its tags. */
export function readReference(document: OpenApiDocument): Reference {
  const { info, servers, tags, paths, webhooks } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describeOperation(document, { method, path, isEvent: false }, operation),
    ),
  )
  const events = Object.entries(webhooks).map(([name, { post }]) =>
    describeOperation(document, { method: 'event', path: name, isEvent: true }, post),
  )
  return {
    title: info.title,
    version: info.version,
    summary: info.summary,
    description: info.description,
    server: servers[0]?.url ?? '',
    groups: tags.map(({ name, description }) => ({
      name,
      description,
      operations: [...operations, ...events].filter(({ tag }) => tag === name),
    })),
  }
}
