import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { accountQuery } from '../api/account.ts'
import { subtext } from '../api/client.ts'
import { describeError, isAboutSource, isSessionEnded } from '../api/errors.ts'
import { rememberSubmitted } from '../api/jobs.ts'
import { useIdempotencyKey } from '../api/repeatable.ts'
import { Button } from '../ui/button.tsx'
import { CONTROL } from '../ui/control.ts'
import { cx } from '../ui/cx.ts'
import { SignInElsewhere } from '../ui/error-notice.tsx'
import { Field } from '../ui/field.tsx'
import { Message } from '../ui/message.tsx'
import {
  DEFAULT_OPTIONS,
  type Instructed,
  InstructionsField,
  isWriting,
  LanguageChoice,
  OutputChoice,
  type RequestedOutput,
  toVideoOptions,
} from './requested-output.tsx'

const SAMPLE = 'https://www.youtube.com/watch?v=sbtx-en-map'
const MAX_REFERENCE = 255

interface VideoRequest extends RequestedOutput, Instructed {
  reference: string
}

/** Returns a request without what was left empty. Without a summary or a template, there is nothing that instructions could be about. */
function toBody(url: string, { instructions, reference, ...options }: VideoRequest) {
  const [custom_instructions, client_reference] = [instructions.trim(), reference.trim()]
  return {
    url: url.trim(),
    options: toVideoOptions(options),
    ...(custom_instructions !== '' && isWriting(options) && { custom_instructions }),
    ...(client_reference !== '' && { client_reference }),
  }
}

/** Submits a video, and opens the page of its job. `initialUrl`: the initial value of the field. */
export function SubmitForm({ initialUrl = '' }: { initialUrl?: string }) {
  const [url, setUrl] = useState(initialUrl)
  const [request, setRequest] = useState<VideoRequest>({ ...DEFAULT_OPTIONS, instructions: '', reference: '' })
  const id = useId()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const idempotency = useIdempotencyKey()
  const submit = useMutation({
    async mutationFn() {
      const body = toBody(url, request)
      const job = await subtext.videos.submit(body, { idempotencyKey: idempotency.keyFor(body) })
      return { job, requested: { ...body, ...body.options } }
    },
    async onSuccess({ job, requested: { url: _url, options, ...requested } }) {
      idempotency.done()
      await rememberSubmitted(queries, job, requested)
      await navigate({ to: '/jobs/$jobId', params: { jobId: job.job_id } })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit.mutate()
  }
  return (
    <form
      onSubmit={onSubmit}
      className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4 shadow-sm sm:p-5"
    >
      <div className="flex flex-col gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          Video URL
        </label>
        <div className="flex flex-col gap-2 sm:flex-row">
          <input
            id={id}
            type="text"
            inputMode="url"
            autoComplete="off"
            required
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            aria-invalid={submit.isError || undefined}
            aria-describedby={`${id}-note`}
            placeholder="https://www.youtube.com/watch?v=…"
            className={cx(CONTROL, 'h-11 grow px-3 !text-base')}
          />
          <Button type="submit" variant="primary" className="!h-11 !px-5" busy={submit.isPending}>
            Process video
          </Button>
        </div>
        <Note id={`${id}-note`} url={url} error={submit.error} onSample={() => setUrl(SAMPLE)} />
      </div>
      <RequestFields request={request} onChange={(changes) => setRequest((known) => ({ ...known, ...changes }))} />
    </form>
  )
}

interface NoteProps {
  id: string
  /** What is in the field. */
  url: string
  error: Error | null
  onSample: () => void
}

/** Says why the video was refused; before, offers one. */
function Note({ id, url, error, onSample }: NoteProps) {
  if (error) {
    return (
      <p id={id} role="alert" className="text-sm text-danger">
        <Message text={describeError(error)} />
        {isAboutSource(error) && (
          <>
            {' '}
            <Link to="/sources" search={{ url }} className="font-medium underline underline-offset-4">
              List its videos
            </Link>
          </>
        )}
        {isSessionEnded(error) && <SignInElsewhere />}
      </p>
    )
  }
  return (
    <p id={id} className="text-sm text-muted">
      No video at hand?{' '}
      <button type="button" onClick={onSample} className="text-accent underline-offset-4 hover:underline">
        Use a sample
      </button>
    </p>
  )
}

interface RequestFieldsProps {
  request: VideoRequest
  onChange: (changes: Partial<VideoRequest>) => void
}

/** What to make of the video, as far as the plan includes it. */
function RequestFields({ request, onChange }: RequestFieldsProps) {
  const { data: account } = useQuery(accountQuery)
  if (!account) return null
  const hasTexts = isWriting(request)
  return (
    <>
      <OutputChoice options={request} onChange={onChange} />
      <div className="grid items-start gap-4 border-t border-line pt-4 sm:grid-cols-2 lg:grid-cols-[15rem_1fr_15rem]">
        {hasTexts && <LanguageChoice options={request} onChange={onChange} />}
        {hasTexts && (
          <InstructionsField
            options={request}
            onChange={onChange}
            className="max-lg:order-last sm:max-lg:col-span-2 [p]:lg:pt-8"
          />
        )}
        <Field
          label="Reference"
          isOptional
          maxLength={MAX_REFERENCE}
          placeholder="Shown in your list of jobs"
          value={request.reference}
          onChange={(event) => onChange({ reference: event.target.value })}
        />
      </div>
    </>
  )
}
