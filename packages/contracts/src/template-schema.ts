import { z } from 'zod'
import { isStorable, NOT_STORABLE } from './text.ts'

/** Types of leaves, in forms. */
export const LEAF_TYPES = ['string', 'number', 'integer', 'boolean'] as const
const FORM_TYPES = [...LEAF_TYPES, 'object', 'array', 'null'] as const
type FormType = (typeof FORM_TYPES)[number]

/** The part of JSON Schema in which forms are written. */
export interface FormSchema {
  type: FormType | FormType[]
  title?: string | undefined
  description?: string | undefined
  properties?: Record<string, FormSchema> | undefined
  required?: string[] | undefined
  additionalProperties?: boolean | undefined
  items?: FormSchema | undefined
  enum?: (string | number | boolean | null)[] | undefined
  format?: 'date' | undefined
}

/** Counted from the root, which is 1, to the deepest leaf. Lists count. */
export const MAX_FORM_DEPTH = 5
/** At all depths. */
export const MAX_FORM_PROPERTIES = 100
/** Bytes of JSON. */
export const MAX_FORM_BYTES = 16_000

export const typesOf = ({ type }: FormSchema): FormType[] => (Array.isArray(type) ? type : [type])
/** Returns the type of a form besides `null`. */
export const kindOf = (form: FormSchema): FormType => typesOf(form).find((type) => type !== 'null') ?? 'null'
/** Returns whether a form allows null. */
export const isNullable = (form: FormSchema): boolean =>
  typesOf(form).includes('null') && (form.enum === undefined || form.enum.includes(null))

const Text = z.string().refine(isStorable, { error: NOT_STORABLE })

/** What objects of JavaScript inherit from is no property of theirs, so that its value would get lost. */
const INHERITED = '__proto__'

/** Refuses names of properties that could not be stored, before they are lost. */
function refuseNames(properties: unknown, { addIssue }: z.RefinementCtx): unknown {
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  for (const name of names) {
    if (name === INHERITED) addIssue({ code: 'custom', path: [name], message: 'Must have another name.' })
    else if (!isStorable(name))
      addIssue({ code: 'custom', message: 'Must have names of well-formed Unicode without NUL characters.' })
  }
  return properties
}

const Type = z.enum(FORM_TYPES).meta({ id: 'FormType' })
const Fields = z
  .strictObject({
    type: z.union([Type, z.array(Type).min(1).max(2)], {
      error: `Must be one of ${FORM_TYPES.map((type) => `\`${type}\``).join(', ')}, or a list of one of them and \`null\`.`,
    }),
    title: Text.optional(),
    description: Text.optional(),
    get properties(): z.ZodOptional<z.ZodType<Record<string, FormSchema>>> {
      return z.preprocess(refuseNames, z.record(z.string(), Fields as unknown as z.ZodType<FormSchema>)).optional()
    },
    required: z.array(z.string()).optional(),
    additionalProperties: z.boolean().optional(),
    get items(): z.ZodOptional<z.ZodType<FormSchema>> {
      return (Fields as unknown as z.ZodType<FormSchema>).optional()
    },
    enum: z
      .array(
        z.union([Text, z.number(), z.boolean(), z.null()], {
          error: ({ input }) =>
            typeof input === 'string' ? NOT_STORABLE : 'Must be a string, a number, `true`, `false` or `null`.',
        }),
      )
      .min(1)
      .optional(),
    format: z.literal('date').optional(),
  })
  .meta({
    id: 'FormSchema',
    description:
      'A part of JSON Schema: `type` (one, or one and `null`), `properties`, `required`, `items`, `enum`, `title`, `description`, `additionalProperties`, `format: date`.',
  })

interface FormIssue {
  path: (string | number)[]
  message: string
}

const OF_KIND: Partial<Record<FormType, readonly (keyof FormSchema)[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items'],
  string: ['enum', 'format'],
  number: ['enum'],
  integer: ['enum'],
  boolean: ['enum'],
}
const BOUND = ['properties', 'required', 'additionalProperties', 'items', 'enum', 'format'] as const

const isOfType = (value: unknown, type: FormType): boolean => {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

/** Lists what is wrong with one level of a form. */
function* findOwnIssues(form: FormSchema): Generator<FormIssue> {
  const types = typesOf(form)
  const kind = kindOf(form)
  if (kind === 'null' || new Set(types).size < types.length || (types.length === 2 && !types.includes('null'))) {
    yield { path: ['type'], message: 'Must be one type, or a list of one type and `null`.' }
    return
  }
  for (const name of BOUND) {
    if (form[name] === undefined || OF_KIND[kind]?.includes(name)) continue
    yield { path: [name], message: `Must be left out: it has no meaning for the type \`${kind}\`.` }
  }
  if (kind === 'array' && form.items === undefined) yield { path: ['items'], message: 'Is required for a list.' }
  for (const [index, name] of (form.required ?? []).entries()) {
    const isKnown = form.properties !== undefined && Object.hasOwn(form.properties, name)
    if (isKnown && form.required?.indexOf(name) === index) continue
    yield { path: ['required', index], message: 'Must name one of `properties`, each once.' }
  }
  for (const [index, value] of (form.enum ?? []).entries()) {
    if (types.some((type) => isOfType(value, type)) && form.enum?.indexOf(value) === index) continue
    yield { path: ['enum', index], message: 'Must be a value of the type, each once.' }
  }
}

function* findIssues(form: FormSchema, path: (string | number)[], depth: number): Generator<FormIssue> {
  for (const issue of findOwnIssues(form)) yield { ...issue, path: [...path, ...issue.path] }
  const inner: [(string | number)[], FormSchema][] = [
    ...Object.entries(form.properties ?? {}).map(([name, each]): [string[], FormSchema] => [
      ['properties', name],
      each,
    ]),
    ...(form.items ? [[['items'], form.items] as [string[], FormSchema]] : []),
  ]
  for (const [steps, each] of inner) {
    const at = [...path, ...steps]
    if (depth === MAX_FORM_DEPTH) yield { path: at, message: `Must not be deeper than ${MAX_FORM_DEPTH} levels.` }
    else yield* findIssues(each, at, depth + 1)
  }
}

const countProperties = (form: FormSchema): number =>
  Object.values(form.properties ?? {}).reduce((sum, each) => sum + 1 + countProperties(each), 0) +
  (form.items ? countProperties(form.items) : 0)

const measure = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

function checkForm(form: FormSchema, addIssue: (issue: FormIssue) => void): void {
  if (kindOf(form) !== 'object' || isNullable(form)) addIssue({ path: ['type'], message: 'Must be `object`.' })
  else if (Object.keys(form.properties ?? {}).length === 0) {
    addIssue({ path: ['properties'], message: 'Must have at least one property.' })
  }
  for (const issue of findIssues(form, [], 1)) addIssue(issue)
  if (measure(form) > MAX_FORM_BYTES) {
    addIssue({ path: [], message: `Must be at most ${MAX_FORM_BYTES.toLocaleString('en-US')} bytes of JSON.` })
  }
  if (countProperties(form) > MAX_FORM_PROPERTIES) {
    addIssue({ path: [], message: `Must have at most ${MAX_FORM_PROPERTIES} properties, at all depths.` })
  }
}

/** The schema of a template. */
export const TemplateSchema = (Fields as unknown as z.ZodType<FormSchema>).superRefine((form, { addIssue }) =>
  checkForm(form, (issue) => addIssue({ code: 'custom', ...issue })),
)
