import type { SourceVideoType, SubscriptionEmail, SubscriptionFormat } from '@subtext/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { Chip } from '../../ui/chip.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { LabeledSelect } from '../../ui/select.tsx'
import { isWriting, LanguageChoice, OutputChoice, type RequestedOutput } from '../requested-output.tsx'
import { changeWebhookUrl, type SubscriptionDraft } from './draft.ts'

interface FieldsProps {
  draft: SubscriptionDraft
  onChange: (changes: Partial<SubscriptionDraft>) => void
}

/** Fields that most subscriptions do not need, folded unless some of them are set. */
function Folded({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
  // It stays open while its last field is emptied.
  const [isOpenAtFirst] = useState(isOpen)
  return (
    <details open={isOpenAtFirst} className="rounded-lg border border-line">
      <summary className="cursor-pointer rounded-lg px-3 py-2.5 text-sm font-medium hover:bg-sunken">{title}</summary>
      <div className="flex flex-col gap-4 px-3 pt-1.5 pb-3.5">{children}</div>
    </details>
  )
}

const ACTIONS = [
  ['process', 'Process them', 'Each counts as one of your videos.'],
  ['notify', 'Only tell me', 'Nothing is processed or counted.'],
] as const

interface ActionFieldsProps extends FieldsProps {
  output: RequestedOutput
  onOutput: (output: RequestedOutput) => void
}

/** What is done with new videos, and what is made of those that are processed. */
export function ActionFields({ draft, onChange, output, onOutput }: ActionFieldsProps) {
  const changeOutput = (changes: Partial<RequestedOutput>) => onOutput({ ...output, ...changes })
  return (
    <>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="mb-1.5 text-sm font-medium">New videos</legend>
        {ACTIONS.map(([action, name, note]) => (
          <label
            key={action}
            className="flex cursor-pointer gap-2.5 rounded-lg border border-edge px-3 py-2.5 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="action"
              checked={draft.action === action}
              onChange={() => onChange({ action })}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span>
              <span className="block font-medium">{name}</span>
              <span className="block text-xs text-muted">{note}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {draft.action === 'process' && (
        <>
          <OutputChoice options={output} onChange={changeOutput} />
          {isWriting(output) && <LanguageChoice options={output} onChange={changeOutput} />}
        </>
      )}
    </>
  )
}

const TYPES: readonly [SourceVideoType, string][] = [
  ['video', 'Videos'],
  ['short', 'Shorts'],
  ['live', 'Streams'],
]
const MINUTES = { type: 'number', min: 0, max: 10_000, step: 'any', inputMode: 'decimal', isOptional: true } as const

/** Which videos count. */
export function FilterFields({ draft, onChange }: FieldsProps) {
  const { types, minMinutes, maxMinutes, titleContains, titleExcludes } = draft
  const toggle = (type: SourceVideoType) =>
    onChange({ types: types.includes(type) ? types.filter((known) => known !== type) : [...types, type] })
  const isSet = types.length > 0 || [minMinutes, maxMinutes, titleContains, titleExcludes].some((text) => text !== '')
  return (
    <Folded title="Only some videos" isOpen={isSet}>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-1.5 text-sm font-medium">Types</legend>
        {TYPES.map(([type, name]) => (
          <Chip key={type} name={name} isChosen={types.includes(type)} onToggle={() => toggle(type)} />
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          {...MINUTES}
          label="Minutes, at least"
          value={minMinutes}
          onChange={(event) => onChange({ minMinutes: event.target.value })}
        />
        <Field
          {...MINUTES}
          label="Minutes, at most"
          value={maxMinutes}
          onChange={(event) => onChange({ maxMinutes: event.target.value })}
        />
      </div>
      <TextArea
        label="Title has any of"
        isOptional
        placeholder="One word or phrase per line"
        value={titleContains}
        onChange={(event) => onChange({ titleContains: event.target.value })}
      />
      <TextArea
        label="Title has none of"
        isOptional
        placeholder="One word or phrase per line"
        value={titleExcludes}
        onChange={(event) => onChange({ titleExcludes: event.target.value })}
      />
    </Folded>
  )
}

/** What to look for in what is said. */
export function WordsField({ draft, onChange }: FieldsProps) {
  if (draft.action !== 'process') return null
  return (
    <Folded title="Watch for words" isOpen={draft.words !== ''}>
      <p className="text-sm text-muted">
        You see every moment at which one of them is said. Whole words and phrases, found as in searches of your
        library.
      </p>
      <TextArea
        label="Words and phrases"
        isOptional
        placeholder="One per line"
        value={draft.words}
        onChange={(event) => onChange({ words: event.target.value })}
      />
    </Folded>
  )
}

const FORMATS: readonly [SubscriptionFormat, string][] = [
  ['event', 'Signed events'],
  ['slack', 'Messages for Slack'],
  ['discord', 'Messages for Discord'],
]
const EMAILS: readonly [SubscriptionEmail | '', string][] = [
  ['', 'None'],
  ['each', 'One for each video'],
  ['daily', 'A digest every day'],
  ['weekly', 'A digest on Mondays'],
]

/** Who is told. */
export function DeliveryFields({ draft, onChange }: FieldsProps) {
  const { data: account } = useQuery(accountQuery)
  const { webhookUrl, format, email } = draft
  const isDigest = email === 'daily' || email === 'weekly'
  return (
    <Folded title="Tell me" isOpen={webhookUrl !== '' || email !== ''}>
      <Field
        label="Webhook URL"
        isOptional
        type="url"
        placeholder="https://hooks.example.com/…"
        hint="Your own, or that of an incoming webhook of Slack or Discord."
        value={webhookUrl}
        onChange={(event) => onChange(changeWebhookUrl(event.target.value, format))}
      />
      {webhookUrl !== '' && (
        <LabeledSelect
          label="What is sent there"
          options={FORMATS}
          value={format}
          onChange={(chosen) => onChange({ format: chosen })}
        />
      )}
      <LabeledSelect label="Emails" options={EMAILS} value={email} onChange={(chosen) => onChange({ email: chosen })} />
      {isDigest && account && (
        <p className="-mt-2 text-xs text-muted">
          At 07:00 in {account.time_zone}, which you can change under Settings.
        </p>
      )}
    </Folded>
  )
}

const CATCH_UP = [0, 1, 2, 5, 10, 20].map(
  (count) => [String(count), count === 0 ? 'None' : count === 1 ? 'The newest one' : `The newest ${count}`] as const,
)

/** How many videos are treated as new, at first and each day. `isNew`: whether the subscription does not exist yet. */
export function AmountFields({ draft, onChange, isNew }: FieldsProps & { isNew: boolean }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {isNew && (
        <LabeledSelect
          label="Videos that exist already"
          options={CATCH_UP}
          value={draft.catchUp}
          onChange={(catchUp) => onChange({ catchUp })}
        />
      )}
      <Field
        label="At most per day"
        isOptional
        type="number"
        min={1}
        max={100}
        step={1}
        inputMode="numeric"
        placeholder="No limit"
        value={draft.maxPerDay}
        onChange={(event) => onChange({ maxPerDay: event.target.value })}
      />
    </div>
  )
}
