import { type ApiParameter, type ApiSchema, nameOfReference, type Operation } from './document.ts'
import { type PythonTypes, safeName } from './types.ts'

export interface CallField {
  name: string
  /** The name in Python. */
  variable: string
  type: string
  isRequired: boolean
  /** Whether `None` means something else than the absence of the field. */
  isNullable: boolean
  description: string
}

export interface ClientCall {
  name: string
  method: string
  path: string
  operation: Operation
  fields: { path: CallField[]; query: CallField[]; body: CallField[] }
  /** The whole body, which can stand in the place of its first field. */
  bodyType: string | undefined
  creates: boolean
}

/** Fields that are for browsers, and those of answers that are streamed. */
const LEFT_OUT = ['download', 'bom', 'expires', 'signature', 'stream']
/** Parameters of lists that the client sets itself. */
const LEFT_OUT_OF_LISTS = ['cursor', 'offset']
/** Reads what an operation takes. */
export function readCall(
  call: Pick<ClientCall, 'name' | 'method' | 'path' | 'operation'>,
  schemas: Record<string, ApiSchema>,
  types: PythonTypes,
): ClientCall {
  const { method, operation } = call
  const { parameters = [], requestBody, operationId } = operation
  const leftOut = parameters.some(({ name }) => name === 'cursor') ? [...LEFT_OUT, ...LEFT_OUT_OF_LISTS] : LEFT_OUT
  const of = (place: ApiParameter['in']): CallField[] =>
    parameters
      .filter((parameter) => parameter.in === place && !leftOut.includes(parameter.name))
      .map(({ name, required = false, schema, description }) =>
        readField(name, { ...schema, description: description ?? schema.description }, required, types, operationId),
      )
  const body = requestBody?.content['application/json']?.schema
  const variants = body ? listVariants(body, schemas) : []
  return {
    ...call,
    fields: { path: of('path'), query: of('query'), body: readBody(variants, types, operationId) },
    bodyType: body && variants.map(({ schema }) => types.typeOf(schema, `${operationId}Body`)).join(' | '),
    creates: method === 'post' && parameters.some(({ name }) => name === 'Idempotency-Key'),
  }
}

interface Variant {
  schema: ApiSchema
  resolved: ApiSchema
}

/** Lists the forms of a body, without those of deprecated names. */
function listVariants(body: ApiSchema, schemas: Record<string, ApiSchema>): Variant[] {
  return (body.oneOf ?? body.anyOf ?? [body])
    .filter(({ $ref = '' }) => !nameOfReference($ref).startsWith('Legacy'))
    .map((schema) => ({ schema, resolved: schema.$ref ? (schemas[nameOfReference(schema.$ref)] ?? {}) : schema }))
}

function readBody(variants: Variant[], types: PythonTypes, operationId: string): CallField[] {
  const fields = new Map<string, CallField>()
  for (const { resolved } of variants) {
    for (const [name, schema] of Object.entries(resolved.properties ?? {})) {
      if (schema.deprecated || fields.has(name) || LEFT_OUT.includes(name)) continue
      const isRequired = variants.every((each) => each.resolved.required?.includes(name))
      fields.set(name, readField(name, schema, isRequired, types, operationId))
    }
  }
  return [...fields.values()].sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

function readField(
  name: string,
  schema: ApiSchema,
  isRequired: boolean,
  types: PythonTypes,
  operationId: string,
): CallField {
  const owner = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const found = types.typeOf(schema, owner + name.charAt(0).toUpperCase() + name.slice(1))
  const isNullable = / \| None$|^None \| /.test(found)
  const type = found === 'QueryBoolean' ? 'bool' : found
  return {
    name,
    variable: safeName(name),
    type: qualify(type),
    isRequired,
    isNullable,
    description: schema.description ?? '',
  }
}

const OF_PYTHON = ['Any', 'Literal', 'None', 'True', 'False', 'Sequence']

/** Types of ours are in a module of their own. `list` is not a type where a method has that name. */
export const qualify = (type: string): string =>
  type
    .replace(/\blist\[/g, 'Sequence[')
    .replace(/"[^"]*"|(?<![\w.])[A-Z]\w*/g, (name) =>
      name.startsWith('"') || OF_PYTHON.includes(name) ? name : `t.${name}`,
    )
