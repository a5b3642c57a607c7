import { DECISIONS_FORM, type Template } from '../routes/templates.ts'
import type { OperationExamples } from './operation-examples.ts'
import { TABLE_EXAMPLES } from './tables.ts'

const TEMPLATE: Template = {
  template_id: '0193a1f4-7c1d-7d0a-b7a5-2f0d1f7f6a11',
  name: 'decisions',
  version: 2,
  versions: 2,
  built_in: false,
  description: 'What was decided, and when.',
  schema: DECISIONS_FORM,
  created_at: '2025-11-21T10:00:00.000Z',
}

const BUILT_IN: Template = {
  name: 'quotes',
  version: 1,
  versions: 1,
  built_in: true,
  description: 'The most quotable statements, word for word.',
  schema: {
    type: 'object',
    properties: { quotes: { type: 'array', items: { type: 'object', properties: { quote: { type: 'string' } } } } },
    required: ['quotes'],
  },
}

const one = (summary: string) => ({ data: { template: { summary, value: TEMPLATE } } })

/** Of templates and of the tables that are filled with them. */
export const TEMPLATE_EXAMPLES: Record<string, OperationExamples> = {
  createTemplate: { response: 'The template.', ...one('A template with its second version.') },
  listTemplates: {
    response: 'The templates of the account, and the built-in ones.',
    data: { templates: { summary: 'One of each.', value: { templates: [TEMPLATE], built_in: [BUILT_IN] } } },
  },
  getTemplate: { response: 'The template.', ...one('A template.') },
  replaceTemplate: { response: 'The new version.', ...one('The second version.') },
  ...TABLE_EXAMPLES,
  deleteTemplate: { response: 'The template is deleted.' },
}
