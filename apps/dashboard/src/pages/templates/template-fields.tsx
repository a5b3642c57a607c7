import type { CreateTemplate, FormSchema, Template } from '@subtext/sdk'
import { useId } from 'react'
import { CONTROL } from '../../ui/control.ts'
import { cx } from '../../ui/cx.ts'
import { Field, TextArea } from '../../ui/field.tsx'
import { formatSchema, outlineForm } from './describe-form.ts'

/** The content of the editor, with the schema as text. */
export interface TemplateDraft {
  description: string
  instructions: string
  schema: string
}

export const draftOf = ({ description = '', instructions = '', schema }: Partial<Template>): TemplateDraft => ({
  description,
  instructions,
  schema: schema ? formatSchema(schema) : '',
})

export const isSameDraft = (one: TemplateDraft, other: TemplateDraft): boolean =>
  one.description === other.description && one.instructions === other.instructions && one.schema === other.schema

/** Reads JSON. The service checks whether it is a schema. */
export function readSchema(text: string): { schema: FormSchema } | { error: string } {
  try {
    const schema: unknown = JSON.parse(text)
    const isObject = typeof schema === 'object' && schema !== null && !Array.isArray(schema)
    return isObject ? { schema: schema as FormSchema } : { error: 'Must be an object.' }
  } catch (error) {
    return { error: `Is not JSON: ${(error as Error).message}` }
  }
}

/** Returns the parts of a request, without what was left empty. */
export function toParts(
  { description, instructions }: TemplateDraft,
  schema: FormSchema,
): Omit<CreateTemplate, 'name'> {
  return {
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(instructions.trim() !== '' && { instructions: instructions.trim() }),
    schema,
  }
}

const MAX_DESCRIPTION = 500
const MAX_INSTRUCTIONS = 2_000

interface TemplateFieldsProps {
  draft: TemplateDraft
  onChange: (changes: Partial<TemplateDraft>) => void
}

/** Description, instructions and schema, and beside the schema what it asks for in words. */
export function TemplateFields({ draft, onChange }: TemplateFieldsProps) {
  const id = useId()
  const read = readSchema(draft.schema)
  const error = 'error' in read ? read.error : undefined
  return (
    <>
      <Field
        label="Description"
        isOptional
        maxLength={MAX_DESCRIPTION}
        placeholder="What the template is for"
        value={draft.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <TextArea
        label="Instructions"
        isOptional
        maxLength={MAX_INSTRUCTIONS}
        placeholder="What to look for in a video"
        value={draft.instructions}
        onChange={(event) => onChange({ instructions: event.target.value })}
      />
      <div className="grid gap-4 md:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            Schema
          </label>
          <textarea
            id={id}
            rows={16}
            required
            spellCheck={false}
            value={draft.schema}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={`${id}-note`}
            onChange={(event) => onChange({ schema: event.target.value })}
            className={cx(
              CONTROL,
              'field-sizing-content max-h-[36rem] min-h-64 p-3 font-mono !text-xs leading-relaxed',
            )}
          />
          <p id={`${id}-note`} className={cx('text-xs', error ? 'text-danger' : 'text-muted')}>
            {error ?? 'JSON Schema: type, properties, required, items, enum, title, description, format: date.'}
          </p>
        </div>
        {'schema' in read && <Outline schema={read.schema} />}
      </div>
    </>
  )
}

/** Returns the outline, or none while the schema is not one yet. */
function tryOutline(schema: FormSchema) {
  try {
    return outlineForm(schema)
  } catch {
    return []
  }
}

const INDENTS = ['', 'pl-4', 'pl-8', 'pl-12', 'pl-16']

function Outline({ schema }: { schema: FormSchema }) {
  const entries = tryOutline(schema)
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <h2 className="text-sm font-medium">What comes out</h2>
      {entries.length === 0 ? (
        <p className="text-sm text-muted">Nothing yet: the schema has no properties.</p>
      ) : (
        <ul className="flex flex-col gap-1 rounded-lg bg-sunken px-3 py-2.5 text-sm">
          {entries.map(({ pointer, depth, name, description }) => (
            <li key={pointer} className={cx('wrap-anywhere', INDENTS[depth])}>
              {name}
              {description !== '' && <span className="text-muted">{`: ${description}`}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
