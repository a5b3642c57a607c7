/** A schema of the published document, as far as the Python client needs it. */
export interface ApiSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  deprecated?: boolean
  const?: unknown
  enum?: unknown[]
  anyOf?: ApiSchema[]
  oneOf?: ApiSchema[]
  items?: ApiSchema
  properties?: Record<string, ApiSchema>
  required?: string[]
  additionalProperties?: boolean | ApiSchema
}

type Content = Record<string, { schema: ApiSchema }>

export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: ApiSchema
}

export interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  parameters?: ApiParameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
  components: { schemas: Record<string, ApiSchema> }
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
