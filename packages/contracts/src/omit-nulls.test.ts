import { z } from 'zod'
import type { RouteShape } from './define-route.ts'
import { omitNulls } from './omit-nulls.ts'
import { ROUTES } from './routes/all-routes.ts'

interface JsonSchema {
  type?: string | string[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

interface Field {
  /** Steps from the body. An entry of a list is `0`. */
  path: string[]
  isOptional: boolean
  isNullable: boolean
  isList: boolean
}

const acceptsNull = ({ type, anyOf = [] }: JsonSchema): boolean =>
  [type ?? []].flat().includes('null') || anyOf.some(acceptsNull)

const takesNoNull = (items: JsonSchema | undefined): boolean => items !== undefined && !acceptsNull(items)

/** Lists the fields of a body as its published schema describes them. */
function listFields(schema: JsonSchema, known = schema.$defs ?? {}, path: string[] = []): Field[] {
  // What contains itself is listed once.
  const { [schema.$ref?.replace('#/$defs/', '') ?? '']: entered, ...definitions } = known
  const resolve = (one: JsonSchema): JsonSchema => definitions[one.$ref?.replace('#/$defs/', '') ?? ''] ?? one
  const { properties = {}, required = [], items } = entered ?? schema
  const own = Object.entries(properties).flatMap(([name, field]): Field[] => [
    {
      path: [...path, name],
      isOptional: !required.includes(name),
      isNullable: acceptsNull(resolve(field)),
      isList: takesNoNull(resolve(field).items),
    },
    ...listFields(field, definitions, [...path, name]),
  ])
  return items ? [...own, ...listFields(items, definitions, [...path, '0'])] : own
}

/** Returns a copy of the body with another value at the path. Missing objects and lists on the way are created. */
function setAt(body: unknown, [first = '', ...rest]: string[], value: unknown): unknown {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(body)
    ? [...body]
    : first === '0'
      ? []
      : { ...(body as object) }
  const target = copy as Record<string, unknown>
  target[first] = rest.length === 0 ? value : setAt(target[first], rest, value)
  return copy
}

const WITH_BODY = ROUTES.flatMap((route) => (route.body ? [{ ...route, body: route.body }] : []))
const nameOf = ({ method, path }: Pick<RouteShape, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`
const parse = (route: { body: z.ZodType }, body: unknown) => route.body.safeParse(omitNulls(route.body, body))

const FIELDS = WITH_BODY.flatMap((route) =>
  listFields(z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema).map((field) => ({
    route,
    field,
    name: `${nameOf(route)} ${field.path.join('.')}`,
    base: route.example?.body ?? {},
  })),
)

describe('omitNulls', () => {
  test('is tested with every route that creates something', () => {
    const tested = new Set(FIELDS.map(({ route }) => nameOf(route)))
    expect([...tested]).toEqual(expect.arrayContaining(['POST /videos/process', 'POST /batch/process']))
    expect(tested.size).toBe(WITH_BODY.length)
  })

  const optional = FIELDS.filter(({ field }) => field.isOptional && !field.isNullable)
  test.each(optional)('takes null for the absence of the optional field $name', ({ route, field, base }) => {
    const withNull = setAt(base, field.path, null)
    const without = setAt(base, field.path, undefined)
    expect(omitNulls(route.body, withNull)).toEqual(omitNulls(route.body, without))
    expect(parse(route, withNull)).toEqual(parse(route, without))
  })

  const required = FIELDS.filter(({ field }) => !field.isOptional)
  test.each(required)('leaves null in the required field $name to be refused', ({ route, field, base }) => {
    expect(parse(route, setAt(base, field.path, null)).success).toBe(false)
  })

  const lists = FIELDS.filter(({ field }) => field.isList)
  test.each(lists)('leaves null in the list $name to be refused', ({ route, field, base }) => {
    const issues = parse(route, setAt(base, field.path, [null])).error?.issues.map(({ path }) => path.join('.'))
    expect(issues).toContain([...field.path, 0].join('.'))
  })

  const nullable = FIELDS.filter(({ field }) => field.isNullable)
  test.each(nullable)('keeps null in $name, which has a meaning there', ({ route, field }) => {
    const body = setAt({}, field.path, null)
    expect(omitNulls(route.body, body)).toEqual(body)
  })

  test.each([
    [{ all: true, batch_id: null, job_ids: null }, { all: true }],
    [{ batch_id: 'a', all: null }, { batch_id: 'a' }],
    [
      { all: true, unknown: null },
      { all: true, unknown: null },
    ],
    [
      { kind: null, all: true },
      { kind: null, all: true },
    ],
  ])('of forms that exclude each other, takes null for the absence of a field of another one: %j', (sent, expected) => {
    const forms = z.union([
      z.strictObject({ all: z.literal(true), kind: z.string() }),
      z.strictObject({ batch_id: z.string(), kind: z.string() }),
      z.strictObject({ job_ids: z.array(z.string()), kind: z.string() }),
    ])
    expect(omitNulls(z.strictObject({ scope: forms.optional() }), { scope: sent })).toEqual({ scope: expected })
  })

  test('leaves unknown fields, and names that objects inherit, as they are', () => {
    const schema = z.strictObject({ known: z.string().optional() })
    const sent = JSON.parse('{"known":null,"unknown":null,"constructor":null,"__proto__":null}')
    const kept = omitNulls(schema, sent) as object
    expect(Object.keys(kept)).toEqual(['unknown', 'constructor', '__proto__'])
    expect(schema.safeParse(kept).success).toBe(false)
  })

  test.each([null, 5, 'text', [], [null]])('returns %j, which is not an object, as it is', (sent) => {
    expect(omitNulls(z.strictObject({}), sent)).toEqual(sent)
  })
})
