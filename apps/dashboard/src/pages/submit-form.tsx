import type { SummaryMode } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { accountQuery } from '../api/account.ts'
import { subtext } from '../api/client.ts'
import { describeError, isSessionEnded } from '../api/errors.ts'
import { rememberSubmitted } from '../api/jobs.ts'
import { useIdempotencyKey } from '../api/repeatable.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CONTROL } from '../ui/control.ts'
import { cx } from '../ui/cx.ts'
import { SignInElsewhere } from '../ui/error-notice.tsx'
import { Message } from '../ui/message.tsx'
import { ModeChoice } from './mode-choice.tsx'

const SAMPLE = 'https://www.youtube.com/watch?v=sbtx-en-map'

/** Submits a video, and opens the page of its job. `initialUrl`: the initial value of the field. */
export function SubmitForm({ initialUrl = '' }: { initialUrl?: string }) {
  const [url, setUrl] = useState(initialUrl)
  const [modes, setModes] = useState<SummaryMode[]>(['tldr'])
  const [hasInfographic, setInfographic] = useState(false)
  const id = useId()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const request = useIdempotencyKey()
  const submit = useMutation({
    mutationFn() {
      const options = { summary_modes: modes, ...(hasInfographic && { generate_infographic: true }) }
      const video = { url: url.trim(), options }
      return subtext.videos.submit(video, { idempotencyKey: request.keyFor(video) })
    },
    async onSuccess(job) {
      request.done()
      await rememberSubmitted(queries, job)
      await navigate({ to: '/jobs/$jobId', params: { jobId: job.job_id } })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit.mutate()
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-4 shadow-sm">
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
      <OutputChoice modes={modes} onModes={setModes} hasInfographic={hasInfographic} onInfographic={setInfographic} />
      <p
        id={`${id}-note`}
        role={submit.isError ? 'alert' : undefined}
        className={cx('text-sm', submit.isError ? 'text-danger' : 'text-muted')}
      >
        {submit.error ? (
          <>
            <Message text={describeError(submit.error)} />
            {isSessionEnded(submit.error) && <SignInElsewhere />}
          </>
        ) : (
          <>
            No video at hand?{' '}
            <button
              type="button"
              onClick={() => setUrl(SAMPLE)}
              className="text-accent underline-offset-4 hover:underline"
            >
              Use a sample
            </button>
          </>
        )}
      </p>
    </form>
  )
}

interface OutputChoiceProps {
  modes: SummaryMode[]
  onModes: (modes: SummaryMode[]) => void
  hasInfographic: boolean
  onInfographic: (wanted: boolean) => void
}

/** What to make of the video: the summaries that the plan includes or the transcript alone, and a picture. */
function OutputChoice({ modes, onModes, hasInfographic, onInfographic }: OutputChoiceProps) {
  const { data: account } = useQuery(accountQuery)
  if (!account) return null
  // A picture is based on a summary.
  const chooseModes = (chosen: SummaryMode[]) => {
    onModes(chosen)
    if (chosen.length === 0) onInfographic(false)
  }
  const toggleInfographic = () => {
    onInfographic(!hasInfographic)
    if (modes.length === 0) onModes(['tldr'])
  }
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Summaries</legend>
      <ModeChoice offered={account.summary_modes} modes={modes} onModes={chooseModes} />
      {account.features.includes('infographics') && (
        <Chip name="Infographic" isChosen={hasInfographic} onToggle={toggleInfographic} />
      )}
    </fieldset>
  )
}
