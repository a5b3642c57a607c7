import type { Subscription } from '@subtext/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { useIdempotencyKey } from '../../api/repeatable.ts'
import { SOURCES_KEY } from '../../api/sources.ts'
import { rememberSubscription } from '../../api/subscriptions.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { DEFAULT_OPTIONS, type RequestedOutput, toVideoOptions } from '../requested-output.tsx'
import { draftOf, EMPTY_DRAFT, type SubscriptionDraft, toNewSubscription, toUpdate } from './draft.ts'
import { ActionFields, AmountFields, DeliveryFields, FilterFields, WordsField } from './rules-fields.tsx'

const SAMPLE = '@sbtx-lectures'

/** Follows a source: the one with this ID, or the one whose address is typed. Opens the page of the subscription. */
export function FollowForm({ sourceId }: { sourceId?: string }) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [output, setOutput] = useState(DEFAULT_OPTIONS)
  const [url, setUrl] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const request = useIdempotencyKey()
  const follow = useMutation({
    mutationFn() {
      const source = sourceId === undefined ? { url: url.trim() } : { source_id: sourceId }
      const subscription = toNewSubscription(draft, toVideoOptions(output), source)
      return subtext.subscriptions.create(subscription, { idempotencyKey: request.keyFor(subscription) })
    },
    async onSuccess(created) {
      request.done()
      await rememberSubscription(queries, created)
      await queries.invalidateQueries({ queryKey: SOURCES_KEY, refetchType: 'none' })
      await navigate({ to: '/subscriptions/$subscriptionId', params: { subscriptionId: created.subscription_id } })
    },
  })
  return (
    <RulesForm
      draft={draft}
      onDraft={setDraft}
      output={output}
      onOutput={setOutput}
      isNew
      label="Follow"
      request={follow}
      onSubmit={() => follow.mutate()}
    >
      {sourceId === undefined && <SourceField url={url} onUrl={setUrl} />}
    </RulesForm>
  )
}

function SourceField({ url, onUrl }: { url: string; onUrl: (url: string) => void }) {
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label="Playlist, channel or podcast"
        required
        inputMode="url"
        autoComplete="off"
        placeholder="https://www.youtube.com/@handle"
        value={url}
        onChange={(event) => onUrl(event.target.value)}
      />
      <p className="text-xs text-muted">
        A URL, a playlist ID, an @handle, or the URL of a podcast feed.{' '}
        <button type="button" onClick={() => onUrl(SAMPLE)} className="text-accent underline-offset-4 hover:underline">
          Use a sample channel
        </button>
      </p>
    </div>
  )
}

const outputOf = ({ options }: Subscription): RequestedOutput => ({
  modes: options.summary_modes,
  templates: options.templates ?? [],
  hasInfographic: options.generate_infographic,
  outputLanguage: options.output_language ?? '',
})

/** Changes the rules of a subscription. */
export function EditForm({ subscription, onSaved }: { subscription: Subscription; onSaved: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(subscription))
  const [output, setOutput] = useState(() => outputOf(subscription))
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn() {
      const changes = toUpdate(draft, toVideoOptions(output), subscription.options)
      return subtext.subscriptions.update(subscription.subscription_id, changes)
    },
    async onSuccess(changed) {
      await rememberSubscription(queries, changed)
      onSaved()
    },
  })
  return (
    <RulesForm
      draft={draft}
      onDraft={setDraft}
      output={output}
      onOutput={setOutput}
      isNew={false}
      label="Save"
      request={save}
      onSubmit={() => save.mutate()}
    />
  )
}

interface RulesFormProps {
  draft: SubscriptionDraft
  onDraft: (draft: SubscriptionDraft) => void
  output: RequestedOutput
  onOutput: (output: RequestedOutput) => void
  isNew: boolean
  /** The text of the button. */
  label: string
  request: { error: Error | null; isPending: boolean }
  onSubmit: () => void
  /** Fields that come first. */
  children?: ReactNode
}

function RulesForm({ draft, onDraft, isNew, label, request, onSubmit, children, ...output }: RulesFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const fields = { draft, onChange: (changes: Partial<SubscriptionDraft>) => onDraft({ ...draft, ...changes }) }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {children}
      <ActionFields {...fields} {...output} />
      <AmountFields {...fields} isNew={isNew} />
      <div className="flex flex-col gap-2">
        <FilterFields {...fields} />
        <WordsField {...fields} />
        <DeliveryFields {...fields} />
      </div>
      <ErrorNotice error={request.error} />
      <Button type="submit" variant="primary" busy={request.isPending}>
        {label}
      </Button>
    </form>
  )
}
