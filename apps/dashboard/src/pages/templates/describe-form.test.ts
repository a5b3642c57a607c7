import type { FormSchema } from '@subtext/sdk'
import { formatSchema, nameProperty, outlineForm } from './describe-form.ts'

const FORM: FormSchema = {
  type: 'object',
  properties: {
    decisions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          decided_on: { type: ['string', 'null'], format: 'date' },
          vote: { type: 'string', enum: ['approved', 'rejected'], title: 'Outcome' },
        },
        required: ['decided_on', 'vote'],
      },
    },
    tags: { type: 'array', items: { type: 'string' } },
    budget: { type: 'number' },
  },
  required: ['decisions', 'budget'],
}

test('the outline of a form names every property with what it holds', () => {
  expect(outlineForm(FORM).map(({ depth, name, description }) => [depth, name, description])).toEqual([
    [0, 'Decisions', 'list'],
    [1, 'Decided on', 'date, if it is said'],
    [1, 'Outcome', 'one of approved, rejected'],
    [0, 'Tags', 'list: text'],
    [0, 'Budget', 'number'],
  ])
})

test('a property without letters is shown as it is', () => {
  expect(nameProperty('__', { type: 'string' })).toBe('__')
})

test('a schema is formatted with lists of scalars on one line, and says the same', () => {
  const schema: FormSchema = {
    ...FORM,
    description: 'Brackets, such as ["a"], are part of a text.',
    required: ['tags'],
  }
  const text = formatSchema(schema)
  expect(JSON.parse(text)).toEqual(schema)
  expect(text).toContain('"type": ["string", "null"],')
  expect(
    text.replace(/\["string", "null"\]|\["approved", "rejected"\]|\["decided_on", "vote"\]|\["tags"\]/g, '[]'),
  ).toBe(JSON.stringify(schema, (_, value) => (Array.isArray(value) ? [] : value), 2))
})
