/** The parts of an OpenAPI document that responses are checked against. */
export interface HeaderObject {
  required?: boolean
  schema: { type: string; const?: string }
}

export interface ResponseObject {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: unknown }>
}

interface OperationObject {
  operationId: string
  responses: Record<string, ResponseObject | { $ref: string }>
}

export interface OpenApiOperations {
  paths: Record<string, Record<string, OperationObject>>
  components: { headers: Record<string, HeaderObject>; responses: Record<string, ResponseObject> }
}

export interface FoundOperation extends OperationObject {
  /** JSON Pointer within the document. */
  pointer: string
}

interface Route {
  pattern: RegExp
  parameters: number
  path: string
  methods: Record<string, OperationObject>
}

export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns a function that finds the operation of a request like the server: ignoring case and a trailing slash. */
export function createOperationFinder({
  paths,
}: OpenApiOperations): (method: string, path: string) => FoundOperation | null {
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
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    const first = routes.find(({ pattern }) => pattern.test(path))
    // A collection can have one path for creating an entry and another one, with a slash, for its list.
    const route = routes.find(({ pattern, methods }) => pattern.source === first?.pattern.source && methods[name])
    const operation = route?.methods[name]
    if (!route || !operation) return null
    return { ...operation, pointer: `/paths/${escapePointer(route.path)}/${name}` }
  }
}
