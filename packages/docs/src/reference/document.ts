/** The parts of our OpenAPI document that the reference reads. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  description?: string
  default?: unknown
  deprecated?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

interface Example {
  summary?: string
  value?: unknown
}

export interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, Example>
}

export interface OperationResponse {
  description?: string
  content?: Record<string, Media>
}

export interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, OperationResponse>
}

export interface OpenApiDocument {
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, { post: OpenApiOperation }>
  components: Record<string, Record<string, unknown>>
}

/** Follows a reference within the document; returns anything else unchanged. Fields beside the reference are kept. */
export function resolveRef<T extends object>(document: OpenApiDocument, value: T): T {
  const { $ref, ...beside } = value as T & { $ref?: string }
  if (typeof $ref !== 'string') return value
  const [, , group = '', name = ''] = $ref.split('/')
  const target = document.components[group]?.[name] as T | undefined
  return resolveRef(document, { ...target, ...beside } as T)
}

/** Returns the name of the component that a reference leads to. */
export const refName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)
