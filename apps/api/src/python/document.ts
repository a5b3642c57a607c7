/** A schema of the published document, as far as the Python client needs it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  deprecated?: boolean
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

type Content = Record<string, { schema: Schema }>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
  components: { schemas: Record<string, Schema> }
}

export const nameOfReference = (reference: string): string => reference.split('/').at(-1) ?? ''

export const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Indents every line of a text but empty ones. */
export const indent = (text: string, depth = 1): string => text.replace(/^(?=.)/gm, '    '.repeat(depth))

/** Returns a docstring, or nothing for an empty text. */
export function docstring(text: string): string[] {
  const escaped = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')
  if (escaped === '') return []
  return [escaped.includes('\n') ? `"""${escaped}\n"""` : `"""${escaped.replace(/"$/, '\\"')}"""`]
}
