import type { FormSchema } from '@subtext/sdk'

/** Returns the type of a part of a form besides `null`. */
export const kindOf = ({ type }: FormSchema): string =>
  (Array.isArray(type) ? type : [type]).find((each) => each !== 'null') ?? 'null'

/** Returns the displayed name of a property. */
export function nameProperty(name: string, { title }: FormSchema): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return title ?? (words.charAt(0).toUpperCase() + words.slice(1) || name)
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
}

const isNullable = ({ type }: FormSchema): boolean => Array.isArray(type) && type.includes('null')

function describeLeaf(form: FormSchema): string {
  if (form.enum) return `one of ${form.enum.filter((value) => value !== null).join(', ')}`
  if (form.format === 'date') return 'date'
  return TYPE_NAMES[kindOf(form)] ?? kindOf(form)
}

/** A line of the outline of a form. */
export interface FormOutlineEntry {
  pointer: string
  depth: number
  name: string
  description: string
}

/** Returns the properties of a form line by line, with what each of them holds. */
export function outlineForm(form: FormSchema, depth = 0, pointer = ''): FormOutlineEntry[] {
  return Object.entries(form.properties ?? {}).flatMap(([name, inner]) => {
    const [held, isList] = unwrapLists(inner)
    const at = `${pointer}/${name}`
    const kind = kindOf(held) === 'object' ? '' : describeLeaf(held)
    const note = isList ? (kind === '' ? 'list' : `list: ${kind}`) : kind
    const isOptional = isNullable(inner) || !form.required?.includes(name)
    const description = [note, isOptional && !isList ? 'if it is said' : ''].filter(Boolean).join(', ')
    return [{ pointer: at, depth, name: nameProperty(name, inner), description }, ...outlineForm(held, depth + 1, at)]
  })
}

/** Returns what a list holds, however deep, and whether it is one. */
function unwrapLists(form: FormSchema): [held: FormSchema, isList: boolean] {
  if (kindOf(form) !== 'array' || !form.items) return [form, false]
  return [unwrapLists(form.items)[0], true]
}

const INDENT = '  '

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Returns JSON as people write it: lists of texts, numbers and the like, such as those of types, are on one line. */
export function formatSchema(value: unknown, indent = ''): string {
  if (isScalar(value)) return JSON.stringify(value)
  const inner = indent + INDENT
  if (Array.isArray(value)) {
    const entries = value.map((entry) => formatSchema(entry, inner))
    return value.every(isScalar) ? `[${entries.join(', ')}]` : `[\n${inner}${entries.join(`,\n${inner}`)}\n${indent}]`
  }
  const fields = Object.entries(value as object)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${inner}${JSON.stringify(name)}: ${formatSchema(field, inner)}`)
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n${indent}}`
}
