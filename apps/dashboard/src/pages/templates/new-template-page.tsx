import type { FormSchema } from '@subtext/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { useIdempotencyKey } from '../../api/repeatable.ts'
import { TEMPLATES_KEY } from '../../api/templates.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { BackLink, PageHeader } from '../../ui/page.tsx'
import { draftOf, readSchema, type TemplateDraft, TemplateFields, toParts } from './template-fields.tsx'

/** What a new template begins with. */
const EXAMPLE: FormSchema = {
  type: 'object',
  properties: {
    decisions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          decision: { type: 'string', description: 'What was decided, as a sentence.' },
          decided_by: { type: ['string', 'null'] },
          decided_on: { type: ['string', 'null'], format: 'date' },
        },
        required: ['decision', 'decided_by', 'decided_on'],
      },
    },
  },
  required: ['decisions'],
}

/** Creates a template, and opens its page, where it can be tried. */
export function NewTemplatePage() {
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<TemplateDraft>(draftOf({ schema: EXAMPLE }))
  const queries = useQueryClient()
  const navigate = useNavigate()
  const request = useIdempotencyKey()
  const read = readSchema(draft.schema)
  const create = useMutation({
    mutationFn(schema: FormSchema) {
      const template = { name: name.trim(), ...toParts(draft, schema) }
      return subtext.templates.create(template, { idempotencyKey: request.keyFor(template) })
    },
    async onSuccess(created) {
      request.done()
      await queries.invalidateQueries({ queryKey: TEMPLATES_KEY })
      await navigate({ to: '/templates/$name', params: { name: created.name } })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if ('schema' in read) create.mutate(read.schema)
  }
  return (
    <>
      <BackLink to="/templates">All templates</BackLink>
      <PageHeader
        title="New template"
        description="Name the fields that you need. You can try the template on one of your videos once it is created."
      />
      <form
        onSubmit={onSubmit}
        className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4 shadow-sm sm:p-5"
      >
        <Field
          label="Name"
          required
          maxLength={64}
          placeholder="decisions"
          hint="Lowercase letters, digits, - and _. Requests name the template by it."
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TemplateFields draft={draft} onChange={(changes) => setDraft((known) => ({ ...known, ...changes }))} />
        <ErrorNotice error={create.error} />
        <div>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={'error' in read}>
            Create template
          </Button>
        </div>
      </form>
    </>
  )
}
