import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { requiresPlanFor } from '../plans.ts'
import { TemplateName } from '../template-refs.ts'
import { type FormSchema, TemplateSchema } from '../template-schema.ts'
import { text } from '../text.ts'

/** Templates of an account. */
export const MAX_TEMPLATES = 100
const MAX_DESCRIPTION = 500
const MAX_TEMPLATE_INSTRUCTIONS = 2_000

const parts = {
  description: text(MAX_DESCRIPTION, 1).optional().meta({ description: 'What the template is for.' }),
  instructions: z.string().trim().pipe(text(MAX_TEMPLATE_INSTRUCTIONS, 1)).optional().meta({
    minLength: 1,
    maxLength: MAX_TEMPLATE_INSTRUCTIONS,
    description: 'What to look for. The schema alone decides what comes out.',
  }),
  schema: TemplateSchema,
}

export const CreateTemplate = z.strictObject({ name: TemplateName, ...parts }).meta({ id: 'CreateTemplate' })
export type CreateTemplate = z.output<typeof CreateTemplate>
export const ReplaceTemplate = z.strictObject(parts).meta({ id: 'ReplaceTemplate' })
export type ReplaceTemplate = z.output<typeof ReplaceTemplate>

export const Template = z
  .object({
    template_id: z.uuid().optional().meta({ description: 'Absent for a built-in template.' }),
    name: z.string(),
    version: z.int().min(1),
    versions: z.int().min(1).meta({ description: 'The latest version. They are numbered from 1.' }),
    built_in: z.boolean(),
    description: z.string().optional(),
    instructions: z.string().optional(),
    schema: TemplateSchema,
    created_at: z.iso.datetime().optional().meta({ description: 'When this version was created.' }),
  })
  .meta({ id: 'Template' })
export type Template = z.input<typeof Template>

const params = z.object({
  name: z.string().max(100).meta({ description: 'Name of the template. For one of its versions, `name@2`.' }),
})
const OWN_PLAN = requiresPlanFor('templates')

/** The form of the examples. */
export const DECISIONS_FORM: FormSchema = {
  type: 'object',
  properties: {
    decisions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          decision: { type: 'string' },
          decided_on: { type: ['string', 'null'], format: 'date' },
        },
        required: ['decision', 'decided_on'],
      },
    },
  },
  required: ['decisions'],
}

export const templates = {
  create: defineRoute({
    method: 'post',
    path: '/templates',
    operationId: 'createTemplate',
    summary: 'Create a template',
    description: `Creates a form of your own. A job that names it in \`options.templates\` fills it from the transcript, with evidence for every value. At most ${MAX_TEMPLATES} per account. ${OWN_PLAN}`,
    access: 'write',
    query: z.strictObject({}),
    body: CreateTemplate,
    idempotent: true,
    response: Template,
    status: 201,
    responseHeaders: ['Location'],
    errors: [
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'PLAN_UPGRADE_REQUIRED',
      'TEMPLATE_LIMIT_REACHED',
      'SERVICE_UNAVAILABLE',
    ],
    example: {
      body: {
        name: 'decisions',
        schema: DECISIONS_FORM,
      },
    },
  }),
  list: defineRoute({
    method: 'get',
    path: '/templates/',
    operationId: 'listTemplates',
    summary: 'List templates',
    description: `Lists the templates of your account by name, each in its latest version, and the built-in ones. ${OWN_PLAN}`,
    access: 'read',
    query: z.strictObject({}),
    response: z.object({ templates: z.array(Template), built_in: z.array(Template) }).meta({ id: 'TemplateList' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'PLAN_UPGRADE_REQUIRED', 'SERVICE_UNAVAILABLE'],
  }),
  get: defineRoute({
    method: 'get',
    path: '/templates/{name}',
    operationId: 'getTemplate',
    summary: 'Get a template',
    description: `Returns the latest version of a template or, for \`name@2\`, that one. ${OWN_PLAN}`,
    access: 'read',
    params,
    query: z.strictObject({}),
    response: Template,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'PLAN_UPGRADE_REQUIRED', 'SERVICE_UNAVAILABLE'],
  }),
  replace: defineRoute({
    method: 'put',
    path: '/templates/{name}',
    operationId: 'replaceTemplate',
    summary: 'Create the next version of a template',
    description: `Replaces description, instructions and schema, and makes the next version of the template. Earlier versions stay, and so do the results of jobs. ${OWN_PLAN}`,
    access: 'write',
    params,
    query: z.strictObject({}),
    body: ReplaceTemplate,
    response: Template,
    status: 200,
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'NOT_FOUND', 'PLAN_UPGRADE_REQUIRED', 'SERVICE_UNAVAILABLE'],
    example: {
      body: { schema: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] } },
    },
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/templates/{name}',
    operationId: 'deleteTemplate',
    summary: 'Delete a template',
    description:
      'Deletes all versions of a template. Results that were made with it stay. Jobs that were accepted with it still use it. The same name can be given to another template, which shares nothing with this one.',
    access: 'write',
    params,
    query: z.strictObject({}),
    status: 204,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
}
