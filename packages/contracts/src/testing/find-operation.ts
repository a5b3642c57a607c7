/** Parts of an OpenAPI document, as far as answers are checked by them. */
export interface HeaderTerms {
  required?: boolean
  schema: { type: string; const?: string }
}

export interface ResponseTerms {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: unknown }>
}

interface OperationTerms {
  operationId: string
  responses: Record<string, ResponseTerms | { $ref: string }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, OperationTerms>>
  components: { headers: Record<string, HeaderTerms>; responses: Record<string, ResponseTerms> }
}

export interface FoundOperation extends OperationTerms {
  /** JSON Pointer within the document. */
  pointer: string
}

interface Route {
  pattern: RegExp
  parameters: number
  path: string
  methods: Record<string, OperationTerms>
}

export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** Finds the operation a request is for as the server does: either case, with or without a slash at the end. */
export function createOperationFinder({
  paths,
}: OpenApiDocument): (method: string, path: string) => FoundOperation | null {
  const routes = Object.entries(paths)
    .map(([path, methods]): Route => {
      const pattern = path
        .replace(/\/$/, '')
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replace(/\{\w+\}/g, '[^/]+')
      return { pattern: new RegExp(`^${pattern}/?$`, 'i'), parameters: path.split('{').length - 1, path, methods }
    })
    .sort((a, b) => a.parameters - b.parameters)
  return (method, path) => {
    const route = routes.find(({ pattern }) => pattern.test(path))
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = route?.methods[name]
    if (!route || !operation) return null
    return { ...operation, pointer: `/paths/${escapePointer(route.path)}/${name}` }
  }
}
