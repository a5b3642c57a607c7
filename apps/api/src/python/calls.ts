import { type ApiSchema, type Document, docstring, indent, nameOfReference } from './document.ts'
import { nameCall, nameResource } from './names.ts'
import { type CallField, type ClientCall, qualify, readCall } from './read-call.ts'
import type { PythonTypes } from './types.ts'

/** Called with the session of a browser. */
const LEFT_OUT_RESOURCES = ['account', 'operations', '']

const isText = (type: string): boolean => /^text\/(?!event-stream)|subrip|ndjson/.test(type)

/** Returns the classes with the calls of all resources, by the names of the attributes of the client. */
export function buildClasses({ paths, components }: Document, types: PythonTypes): Map<string, string> {
  const resources = new Map<string, Map<string, string>>()
  for (const [path, operations] of Object.entries(paths)) {
    const resource = nameResource(path)
    if (LEFT_OUT_RESOURCES.includes(resource)) continue
    const methods = resources.get(resource) ?? new Map<string, string>()
    resources.set(resource, methods)
    for (const [method, operation] of Object.entries(operations)) {
      const name = nameCall(resource, operation.operationId)
      const call = readCall({ name, method, path, operation }, components.schemas, types)
      for (const [each, text] of writeMethods(call, components.schemas, types)) {
        if (methods.has(each)) throw new Error(`Two calls of ${resource} are named ${each}.`)
        methods.set(each, text)
      }
    }
  }
  const classes = [...resources].map(([resource, methods]): [string, string] => [
    resource,
    [`class ${toClass(resource)}(Resource):`, indent([...methods.values()].join('\n\n'))].join('\n'),
  ])
  return new Map(classes)
}

export const toClass = (resource: string): string => resource.charAt(0).toUpperCase() + resource.slice(1)

/** Returns the methods of a call by their names: that for JSON, those for documents and files. */
function writeMethods(call: ClientCall, schemas: Record<string, ApiSchema>, types: PythonTypes): [string, string][] {
  const { responses, requestBody } = call.operation
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {}
  const data = content['application/json']?.schema.properties?.data
  const kinds = Object.keys(content)
  const methods: [string, string][] = []
  if (data) methods.push([call.name, writeJson(call, data, schemas, types)])
  if (!data && kinds.length === 0) methods.push([call.name, writeMethod(call, 'None', 'none')])
  const documents = kinds.filter(isText)
  if (data && documents.length > 0) {
    const name = ['result', 'get'].includes(call.name) ? 'document' : `${call.name}_document`
    methods.push([name, writeMethod({ ...call, name }, 'str', 'text', { requireFormat: true })])
  } else if (!data && kinds.some((kind) => kind !== 'text/event-stream')) {
    methods.push([call.name, writeMethod(call, 'bytes', 'file')])
  }
  if (requestBody?.content['multipart/form-data']) {
    const name = 'import_file'
    const fields = call.fields.body
      .filter((field) => field.name !== 'captions')
      .map((field) => (field.name === 'title' ? { ...field, isRequired: false } : field))
    const file: CallField = { ...FILE, isRequired: true }
    const asForm = { ...call, name, bodyType: undefined, fields: { ...call.fields, body: [file, ...fields] } }
    if (data) methods.push([name, writeMethod(asForm, qualify(types.typeOf(data, name)), 'form')])
  }
  return methods
}

const FILE: Omit<CallField, 'isRequired'> = {
  name: 'file',
  variable: 'file',
  type: 'FileContent',
  isNullable: false,
  description: 'The file, opened for reading in binary mode, its bytes, or its name and bytes.',
}

/** The data of a list, whose pages are fetched when they are needed. */
function findItems(
  call: ClientCall,
  data: ApiSchema,
  schemas: Record<string, ApiSchema>,
): { key: string; schema: ApiSchema } | undefined {
  const isList = call.method === 'get' && call.operation.parameters?.some(({ name }) => name === 'cursor')
  if (!isList) return undefined
  const { properties = {} } = data.$ref ? (schemas[nameOfReference(data.$ref)] ?? {}) : data
  const found = Object.entries(properties).find(([, schema]) => schema.type === 'array')
  return found && { key: found[0], schema: found[1].items ?? {} }
}

function writeJson(call: ClientCall, data: ApiSchema, schemas: Record<string, ApiSchema>, types: PythonTypes): string {
  const items = findItems(call, data, schemas)
  if (items) {
    const type = `Pages[${qualify(types.typeOf(items.schema, `${call.name}Item`))}]`
    return writeMethod(withoutFormat(call), type, 'pages', { key: items.key })
  }
  const byFormat = data.anyOf?.map((variant) => ({ variant, format: formatOf(variant, schemas) }))
  if (!byFormat?.every(({ format }) => format)) {
    return writeMethod(withoutFormat(call), qualify(types.typeOf(data, `${call.name}Data`)), 'json')
  }
  const of = (format: string, type: string): ClientCall => replaceFormat(call, format, type)
  const typeFor = (wanted: boolean): string =>
    byFormat
      .filter(({ format }) => (format === 'json') === wanted)
      .map(({ variant }) => qualify(types.typeOf(variant, `${call.name}Data`)))
      .join(' | ')
  return [
    `@overload\n${writeSignature(of('required', 'Literal["json"]'), typeFor(true))} ...`,
    `@overload\n${writeSignature(of('optional', 'None'), typeFor(false))} ...`,
    writeMethod(of('optional', 'Literal["json"]'), `${typeFor(false)} | ${typeFor(true)}`, 'json'),
  ].join('\n')
}

function formatOf(variant: ApiSchema, schemas: Record<string, ApiSchema>): unknown {
  const { properties } = variant.$ref ? (schemas[nameOfReference(variant.$ref)] ?? {}) : variant
  return properties?.format?.const
}

const withoutFormat = (call: ClientCall): ClientCall => {
  const isResult = Object.keys(call.operation.responses['200']?.content ?? {}).some(isText)
  const query = call.fields.query.filter(({ name }) => name !== 'format' || !isResult)
  return { ...call, fields: { ...call.fields, query } }
}

const replaceFormat = (call: ClientCall, presence: string, type: string): ClientCall => ({
  ...call,
  fields: {
    ...call.fields,
    query: call.fields.query.map((field) =>
      field.name === 'format' ? { ...field, type, isRequired: presence === 'required' } : field,
    ),
  },
})

/** Fields that a caller has to give come first and without their names; a body without any has its first one there. */
function writeSignature({ name, fields, bodyType, creates }: ClientCall, returned: string): string {
  const all = [...fields.path, ...fields.body, ...fields.query]
  const format = all.find((field) => field.name === 'format' && field.isRequired)
  const positional = all.filter((field) => field.isRequired && !(field === format && field.type.startsWith('Literal')))
  const [first] = fields.body
  if (first && !first.isRequired) positional.push(first)
  const named = all.filter((field) => !positional.includes(field))
  const isWhole = (field: CallField): boolean =>
    field === first && fields.body.filter((each) => each.isRequired).length < 2
  const parameters = [
    'self',
    ...positional.map((field) => writeParameter(field, isWhole(field) ? bodyType : undefined)),
    ...(named.length > 0 || creates ? ['*'] : []),
    ...named.map((field) => writeParameter(field, undefined)),
    ...(creates ? ['idempotency_key: str | None = None'] : []),
  ]
  return `def ${name}(${parameters.join(', ')}) -> ${returned}:`
}

function writeParameter({ variable, type, isRequired, isNullable }: CallField, bodyType: string | undefined): string {
  const whole = bodyType ? `${type} | ${qualify(bodyType)}` : type
  if (isRequired) return `${variable}: ${whole}`
  return isNullable
    ? `${variable}: ${whole} = OMIT`
    : `${variable}: ${[...new Set(whole.split(' | ')), 'None'].join(' | ')} = None`
}

type Kind = 'json' | 'pages' | 'text' | 'file' | 'form' | 'none'

/** Returns the definition of a method, which hands its arguments to the transport. */
function writeMethod(
  call: ClientCall,
  returned: string,
  kind: Kind,
  more: { key?: string; requireFormat?: boolean } = {},
): string {
  const { method, path, fields, creates, operation } = call
  const query = more.requireFormat
    ? fields.query.map((field) => (field.name === 'format' ? { ...field, isRequired: true } : field))
    : fields.query
  const own = { ...call, fields: { ...fields, query } }
  const url = path.replace(/\{(\w+)\}/g, '{encode_id($1)}')
  const pairs = (list: CallField[]): string =>
    `{${list.map((field) => `"${field.name}": ${field.variable}`).join(', ')}}`
  const jobId = fields.path.find(({ name }) => name === 'job_id')
  const args = [
    ...(kind === 'pages' ? [`"${more.key}"`] : kind === 'form' ? ['file'] : [`"${method.toUpperCase()}"`]),
    `${url === path ? '' : 'f'}"${url}"`,
    ...(query.length > 0 ? [`query=${pairs(query)}`] : []),
    ...(fields.body.length > 0 ? [writeBody(fields.body, kind)] : []),
    ...(creates ? ['idempotency_key=idempotency_key or new_key()'] : []),
    ...(jobId ? ['job_id=job_id'] : []),
  ]
  const description = operation.description?.replace(/^ +/gm, '') ?? ''
  const text = [`${operation.summary}.`, description, describeFields(own)].filter(Boolean).join('\n\n')
  const lines = [...docstring(text), `return self._transport.${kind}(${args.join(', ')})`]
  return `${writeSignature(own, returned)}\n${indent(lines.join('\n'))}`
}

function writeBody(fields: CallField[], kind: Kind): string {
  const pairs = (list: CallField[]): string =>
    `{${list.map((field) => `"${field.name}": ${field.variable}`).join(', ')}}`
  if (kind === 'form') return `fields=${pairs(fields.filter(({ name }) => name !== 'file'))}`
  const nullable = fields.filter(({ isNullable }) => isNullable).map(({ name }) => `"${name}"`)
  return `body=build_body(${[pairs(fields), ...(nullable.length > 0 ? [`nullable=[${nullable.join(', ')}]`] : [])].join(', ')})`
}

const describeFields = ({ fields }: ClientCall): string => {
  const described = [...fields.path, ...fields.body, ...fields.query].filter(({ description }) => description)
  if (described.length === 0) return ''
  const lines = described.map(({ variable, description }) => `    ${variable}: ${description.replace(/\s+/g, ' ')}`)
  return ['Args:', ...lines].join('\n')
}
