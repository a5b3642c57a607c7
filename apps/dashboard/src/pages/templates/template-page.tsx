import type { FormSchema, Template } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { TEMPLATES_KEY, templateQuery, templatesQuery } from '../../api/templates.ts'
import { formatDateTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackLink, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Select } from '../../ui/select.tsx'
import { draftOf, isSameDraft, readSchema, type TemplateDraft, TemplateFields, toParts } from './template-fields.tsx'
import { TemplateTester } from './template-tester.tsx'

/** A template with its versions: an editor that makes the next one, and a tester. */
export function TemplatePage() {
  const { name } = useParams({ from: '/members/templates/$name' })
  const [version, setVersion] = useState<number | null>(null)
  const template = useQuery(templateQuery(version === null ? name : `${name}@${version}`))
  return (
    <QueryView query={template} fallbackTitle={name}>
      {(data) => (
        <>
          <BackLink to="/templates">All templates</BackLink>
          <PageHeader
            title={data.name}
            description={
              data.created_at && `Version ${data.version} of ${data.versions}, from ${formatDateTime(data.created_at)}`
            }
            actions={
              <>
                <Select
                  label="Version"
                  isLabelHidden
                  options={Array.from({ length: data.versions }, (_, index) => {
                    const number = String(data.versions - index)
                    return [number, `Version ${number}`] as const
                  })}
                  value={String(data.version)}
                  onChange={(chosen) => setVersion(Number(chosen))}
                />
                <DeleteTemplate name={data.name} />
              </>
            }
          />
          <div className="flex flex-col gap-6">
            <Editor key={`${data.name}@${data.version}`} template={data} onSaved={() => setVersion(null)} />
            <TemplateTester key={data.name} template={data} />
          </div>
        </>
      )}
    </QueryView>
  )
}

interface EditorProps {
  template: Template
  onSaved: () => void
}

function Editor({ template, onSaved }: EditorProps) {
  const saved = draftOf(template)
  const [draft, setDraft] = useState<TemplateDraft>(saved)
  const queries = useQueryClient()
  const read = readSchema(draft.schema)
  const save = useMutation({
    mutationFn: (schema: FormSchema) => subtext.templates.replace(template.name, toParts(draft, schema)),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: TEMPLATES_KEY })
      onSaved()
    },
  })
  const isLatest = template.version === template.versions
  const isChanged = !isSameDraft(draft, saved)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if ('schema' in read) save.mutate(read.schema)
  }
  return (
    <form
      onSubmit={onSubmit}
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4 shadow-sm sm:p-5"
    >
      {!isLatest && <Notice tone="warning">{`An earlier version. The latest is ${template.versions}.`}</Notice>}
      <TemplateFields draft={draft} onChange={(changes) => setDraft((known) => ({ ...known, ...changes }))} />
      <ErrorNotice error={save.error} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending}
          disabled={'error' in read || (isLatest && !isChanged)}
        >
          {`Save as version ${template.versions + 1}`}
        </Button>
        <p className="text-sm text-muted">Jobs and batches that were submitted keep the version they have.</p>
      </div>
    </form>
  )
}

function DeleteTemplate({ name }: { name: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => subtext.templates.delete(name),
    async onSuccess() {
      queries.setQueryData(
        templatesQuery.queryKey,
        (list) => list && { ...list, templates: list.templates.filter((template) => template.name !== name) },
      )
      await navigate({ to: '/templates' })
      // Another template may get the name.
      queries.removeQueries({ queryKey: templateQuery(name).queryKey })
      await queries.invalidateQueries({ queryKey: TEMPLATES_KEY })
    },
  })
  return (
    <>
      <ErrorNotice error={remove.error} />
      <ConfirmButton
        label="Delete"
        title={`Delete ${name}?`}
        description="All of its versions are deleted. What jobs have filled with it stays."
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
