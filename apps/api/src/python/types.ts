import { type ApiSchema, type Document, docstring, indent, nameOfReference } from './document.ts'

const SIMPLE: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'dict[str, Any]',
  array: 'list[Any]',
}
const KEYWORDS = ['from', 'import', 'class', 'global', 'in', 'is', 'not', 'and', 'or', 'with', 'as', 'pass', 'def']

/** Returns the name of a parameter or attribute: reserved words get an underscore. */
export const safeName = (name: string): string => (KEYWORDS.includes(name) ? `${name}_` : name)

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.includes(name)

const literal = (values: unknown[]): string =>
  `Literal[${values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))).join(', ')}]`

const toClassName = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export interface PythonTypes {
  /** Returns the type of a schema. An object without a name of its own is declared as `name`. */
  typeOf(schema: ApiSchema, name: string): string
  /** Returns the declarations of all types that were asked for, and of those in them. */
  declarations(): string
}

/** Collects the types of the schemas that the calls need. */
export function createPythonTypes({ components }: Pick<Document, 'components'>): PythonTypes {
  const declared = new Map<string, string>()

  function refer(name: string): string {
    if (!declared.has(name)) declare(name, components.schemas[name] ?? {})
    return name
  }

  function declare(name: string, schema: ApiSchema): void {
    // Before the parts, which may contain the type itself.
    declared.set(name, '')
    declared.set(name, schema.properties ? declareObject(name, schema) : declareAlias(name, schema))
  }

  function declareAlias(name: string, schema: ApiSchema): string {
    const lines = [`${name}: TypeAlias = ${JSON.stringify(typeOf(schema, `${name}Value`))}`]
    return [...lines, ...docstring(schema.description ?? '')].join('\n')
  }

  function declareObject(name: string, { properties = {}, required = [], description = '' }: ApiSchema): string {
    const fields = Object.entries(properties).map(([key, schema]) => {
      const type = typeOf(schema, name + toClassName(key))
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, text: schema.description ?? '' }
    })
    if (!fields.every(({ key }) => isName(key))) {
      // A class cannot have fields with such names.
      const pairs = fields.map(({ key, type }) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},`)
      return [`${name} = TypedDict("${name}", {`, ...pairs, '})', ...docstring(description)].join('\n')
    }
    const lines = fields.flatMap(({ key, type, text }) => [`${key}: ${type}`, ...docstring(text)])
    const body = [...docstring(description), ...(lines.length > 0 ? lines : ['pass'])].join('\n')
    return `class ${name}(TypedDict):\n${indent(body)}`
  }

  function typeOf(schema: ApiSchema, name: string): string {
    if (schema.$ref) return refer(nameOfReference(schema.$ref))
    if ('const' in schema) return literal([schema.const])
    if (schema.enum) return literal(schema.enum)
    const variants = schema.anyOf ?? schema.oneOf
    if (variants)
      return join(variants.map((variant, index) => typeOf(variant, `${name}${index === 0 ? '' : index + 1}`)))
    if (Array.isArray(schema.type)) return join(schema.type.map((type) => typeOf({ ...schema, type }, name)))
    if (schema.type === 'array' && schema.items) return `list[${typeOf(schema.items, `${name}Item`)}]`
    if (schema.properties) {
      if (!declared.has(name)) declare(name, schema)
      return name
    }
    if (typeof schema.additionalProperties === 'object') {
      return `dict[str, ${typeOf(schema.additionalProperties, `${name}Value`)}]`
    }
    return SIMPLE[schema.type ?? ''] ?? 'Any'
  }

  return {
    typeOf,
    declarations: () =>
      [...declared]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, text]) => text)
        .join('\n\n\n'),
  }
}

const join = (types: string[]): string => [...new Set(types)].join(' | ')
