/** Carries out what a declarative node of n8n describes, as n8n does, as far as our node uses it. */

type Values = Record<string, unknown>

interface Routing {
  request?: { method?: string; url?: string; qs?: Values; headers?: Record<string, string>; encoding?: string }
  send?: { type?: 'body' | 'query'; property?: string; value?: string; paginate?: boolean | string }
  output?: { postReceive?: { type: string; properties: Record<string, string> }[] }
  operations?: { pagination?: { properties: { continue: string; request: { qs?: string } } } }
}

interface Property {
  name: string
  value?: string
  type?: string
  default?: unknown
  required?: boolean
  displayOptions?: { show?: Record<string, unknown[]> }
  options?: Property[]
  routing?: Routing
}

export interface DeclarativeNode {
  description: {
    properties: Property[]
    requestDefaults: { baseURL: string; headers: Record<string, string> }
  }
}

interface Run {
  node: DeclarativeNode
  credentials: Values
  parameters: Values
}

/** Evaluates a text that begins with `=`, in which expressions stand between double braces. */
function evaluate(text: unknown, variables: Values): unknown {
  if (typeof text !== 'string' || !text.startsWith('=')) return text
  const run = (expression: string): unknown =>
    new Function(...Object.keys(variables), `return (${expression})`)(...Object.values(variables))
  const [whole, only] = /^=\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(text) ?? []
  if (whole) return run(only ?? '')
  return text.slice(1).replace(/\{\{(.*?)\}\}/gs, (_, expression: string) => String(run(expression)))
}

function setAt(target: Values, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    target[name] = value
    return
  }
  target[name] ??= {}
  setAt(target[name] as Values, rest.join('.'), value)
}

const readAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (inner as Values | undefined)?.[name], value)

/** Returns the parameters of the properties that are shown, with their defaults. */
function listShown({ node, parameters }: Run): { shown: Property[]; values: Values } {
  const values: Values = { resource: 'video' }
  const shown = node.description.properties.filter((property) => {
    const conditions = Object.entries(property.displayOptions?.show ?? {})
    if (!conditions.every(([name, allowed]) => allowed.includes(values[name] ?? parameters[name]))) return false
    values[property.name] = parameters[property.name] ?? property.default
    if (property.required && values[property.name] === '') throw new Error(`${property.name} is missing.`)
    return true
  })
  const unknown = Object.keys(parameters).filter((name) => !(name in values))
  if (unknown.length > 0) throw new Error(`There is no field ${unknown.join()} in this operation.`)
  return { shown, values }
}

/** Lists what is described for the chosen values, in the order of the properties. */
function listRoutings(shown: Property[], values: Values): { routing: Routing; value: unknown }[] {
  return shown.flatMap((property) => {
    const value = values[property.name]
    const own = property.routing ? [{ routing: property.routing, value }] : []
    const inner =
      property.type === 'collection'
        ? (property.options ?? []).filter(({ name }) => name in (value as Values))
        : (property.options ?? []).filter((option) => property.type === 'options' && option.value === value)
    const chosen = inner.flatMap(({ routing, name }) =>
      routing ? [{ routing, value: property.type === 'collection' ? (value as Values)[name] : value }] : [],
    )
    return [...own, ...chosen]
  })
}

/** Runs an operation once, and returns its items. Files are texts. */
export async function runNode(run: Run): Promise<Values[]> {
  const { shown, values } = listShown(run)
  const fixed = { $credentials: run.credentials, $parameter: values }
  const [query, body]: Values[] = [{}, {}]
  let request: NonNullable<Routing['request']> = {}
  let [paginate, pagination]: [unknown, NonNullable<Routing['operations']>['pagination']] = [false, undefined]
  const receive: NonNullable<Routing['output']>['postReceive'] = []
  for (const { routing, value } of listRoutings(shown, values)) {
    const { send } = routing
    request = { ...request, ...routing.request }
    if (send?.property) {
      const sent = send.value === undefined ? value : evaluate(send.value, { ...fixed, $value: value })
      setAt(send.type === 'query' ? (query ?? {}) : (body ?? {}), send.property, sent)
    }
    if (send?.paginate !== undefined) paginate = evaluate(send.paginate, { ...fixed, $value: value })
    pagination = routing.operations?.pagination ?? pagination
    receive.push(...(routing.output?.postReceive ?? []))
  }
  const items: Values[] = []
  let $response: Values = {}
  for (;;) {
    const qs = { ...request.qs, ...query }
    const replaced = paginate ? pagination?.properties.request.qs : undefined
    // As in n8n, the query of a page replaces the whole query.
    const sent = replaced === undefined ? qs : (evaluate(replaced, { ...fixed, $response, $request: { qs } }) as Values)
    $response = await send(run, fixed, request, sent, body ?? {})
    items.push(...takeItems($response.body, receive, fixed))
    if (!paginate || !pagination || !evaluate(pagination.properties.continue, { ...fixed, $response })) return items
  }
}

async function send(
  { node }: Run,
  fixed: Values,
  request: NonNullable<Routing['request']>,
  query: Values,
  body: Values,
): Promise<Values> {
  const { baseURL, headers } = node.description.requestDefaults
  const url = new URL(`${evaluate(baseURL, fixed)}${evaluate(request.url, fixed)}`)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const { apiKey } = fixed.$credentials as { apiKey: string }
  const response = await fetch(url, {
    method: request.method,
    headers: { ...headers, ...request.headers, Authorization: `Bearer ${apiKey}` },
    ...(request.method === 'POST' && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = text !== '' && request.encoding === undefined ? JSON.parse(text) : text
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return { body: parsed, headers: Object.fromEntries(response.headers) }
}

/** Does to a response what `postReceive` says. */
function takeItems(
  body: unknown,
  steps: { type: string; properties: Record<string, string> }[],
  fixed: Values,
): Values[] {
  let items: unknown[] = [body]
  for (const { type, properties } of steps) {
    if (type === 'rootProperty') items = items.flatMap((item) => readAt(item, properties.property ?? ''))
    else if (type === 'filter')
      items = items.filter((item) => evaluate(properties.pass, { ...fixed, $responseItem: item }))
    else if (type === 'set') items = items.map(() => evaluate(properties.value, fixed))
    else if (type === 'binaryData') items = items.map(() => ({ [properties.destinationProperty ?? '']: body }))
    else throw new Error(`Unknown step ${type}.`)
  }
  return items as Values[]
}
