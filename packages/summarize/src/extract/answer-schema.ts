import { type FormSchema, isNullable, kindOf } from '@subtext/contracts'

/** What the model is asked for at each place of a form. */
export interface AnswerForm {
  form: FormSchema
  /** Whether texts are in another language than the lines, so that each needs a quotation. */
  isQuoting: boolean
}

/** Providers take only so many values that may be null. In a larger form, an empty list of lines says the same. */
const MAX_UNIONS = 16

const countLeaves = (form: FormSchema): number => {
  if (form.items) return countLeaves(form.items)
  if (form.properties) return Object.values(form.properties).reduce((sum, each) => sum + countLeaves(each), 0)
  return kindOf(form) === 'object' ? 0 : 1
}

/** Returns whether a value needs a quotation as evidence: one that the lines need not say in words, or say in other words. */
export const needsQuote = (form: FormSchema, isQuoting: boolean): boolean =>
  kindOf(form) === 'boolean' || form.enum !== undefined || (isQuoting && kindOf(form) === 'string' && !form.format)

/** Returns the schema of the answer: the form, with an object of value, lines and quotation in place of each value. */
export function buildAnswerSchema({ form, isQuoting }: AnswerForm): Record<string, unknown> {
  const hasUnions = countLeaves(form) <= MAX_UNIONS
  const write = (each: FormSchema): Record<string, unknown> => {
    const words = {
      ...(each.title && { title: each.title }),
      ...(each.description && { description: each.description }),
    }
    const kind = kindOf(each)
    if (kind === 'array') return { type: 'array', ...words, items: write(each.items ?? { type: 'string' }) }
    if (kind === 'object') {
      const properties = Object.entries(each.properties ?? {}).map(([name, inner]) => [name, write(inner)])
      return writeObject(Object.fromEntries(properties), words)
    }
    return writeObject(writeLeaf(each, { isQuoting, hasUnions }), words)
  }
  return write(form)
}

const writeObject = (properties: Record<string, unknown>, words: object) => ({
  type: 'object',
  ...words,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

function writeLeaf(form: FormSchema, { isQuoting, hasUnions }: { isQuoting: boolean; hasUnions: boolean }) {
  const kind = kindOf(form)
  const values = form.enum?.filter((value) => value !== null)
  const mayBeNull = hasUnions || isNullable(form)
  return {
    value: {
      type: mayBeNull ? [kind, 'null'] : kind,
      ...(values && { enum: mayBeNull ? [...values, null] : values }),
      ...(form.format && { format: form.format }),
    },
    segment_ids: { type: 'array', items: { type: 'integer' } },
    ...(needsQuote(form, isQuoting) && { quote: { type: 'string' } }),
  }
}
