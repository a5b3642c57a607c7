import Plus from 'virtual:icons/plus'
import type { DefaultResult, Job, SummaryMode } from '@subtext/sdk'
import { FEATURE_PLANS, MODE_PLANS } from '@subtext/sdk/vocabulary'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { subtext } from '../../api/client.ts'
import { rememberSubmitted } from '../../api/jobs.ts'
import { useIdempotencyKey } from '../../api/repeatable.ts'
import { formatUsdRange } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { MODES } from '../../vocabulary.ts'

interface AddSummaryProps {
  job: Job
  result: DefaultResult
}

type Addition = SummaryMode | 'infographic'

/** Adds summaries to a finished job. This creates a new job with the same transcript, and opens its page. */
export function AddSummary({ job, result }: AddSummaryProps) {
  const missing: [Addition, string][] = MODES.filter(([mode]) => result.summaries[mode] === undefined)
  if (!result.infographic_url) missing.push(['infographic', 'Infographic'])
  return (
    <Dialog
      title="Add a summary"
      description={
        missing.length > 0
          ? 'The transcript already exists, so this does not count toward your quota. The result is a new job with your existing summaries and the new ones.'
          : undefined
      }
      trigger={
        <Button variant="quiet">
          <Plus className="size-4" aria-hidden="true" />
          Add a summary
        </Button>
      }
    >
      {missing.length > 0 ? (
        <AdditionForm job={job} missing={missing} />
      ) : (
        <p className="text-sm text-muted">This job already has every summary and the infographic.</p>
      )}
    </Dialog>
  )
}

/** What the request asks for, in the form that submitting and adding share. */
function readChoice(chosen: Addition[]) {
  const modes = chosen.filter((addition) => addition !== 'infographic')
  return {
    ...(modes.length > 0 && { summary_modes: modes }),
    ...(chosen.includes('infographic') && { generate_infographic: true }),
  }
}

function AdditionForm({ job, missing }: { job: Job; missing: [Addition, string][] }) {
  const { data: account } = useQuery(accountQuery)
  const [chosen, setChosen] = useState<Addition[]>([])
  const queries = useQueryClient()
  const request = useIdempotencyKey()
  const navigate = useNavigate()
  const add = useMutation({
    mutationFn() {
      const additions = readChoice(chosen)
      return subtext.videos.derive(job.job_id, additions, { idempotencyKey: request.keyFor(additions) })
    },
    async onSuccess(derived) {
      request.done()
      await rememberSubmitted(queries, derived)
      await navigate({ to: '/jobs/$jobId', params: { jobId: derived.job_id } })
    },
  })
  const planOf = (addition: Addition): string | null => {
    if (!account) return null
    if (addition === 'infographic')
      return account.features.includes('infographics') ? null : `${FEATURE_PLANS.infographics} plan`
    return account.summary_modes.includes(addition) ? null : `${MODE_PLANS[addition]} plan`
  }
  const toggle = (addition: Addition) =>
    setChosen((known) =>
      known.includes(addition) ? known.filter((other) => other !== addition) : [...known, addition],
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
      className="flex flex-col gap-4"
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">What to add</legend>
        {missing.map(([addition, name]) => {
          const plan = planOf(addition)
          return (
            <label
              key={addition}
              className="flex items-center gap-3 rounded-lg border border-line px-3 py-2.5 text-sm transition has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="checkbox"
                checked={chosen.includes(addition)}
                disabled={plan !== null}
                onChange={() => toggle(addition)}
                className="size-4 accent-accent"
              />
              {name}
              {plan && <span className="ml-auto text-xs text-muted">{plan}</span>}
            </label>
          )
        })}
      </fieldset>
      <Price job={job} chosen={chosen} />
      <ErrorNotice error={add.error} />
      <Button type="submit" variant="primary" disabled={chosen.length === 0} busy={add.isPending}>
        {chosen.length > 1 ? `Add ${chosen.length}` : 'Add'}
      </Button>
    </form>
  )
}

/** The estimated price of the additions. */
function Price({ job, chosen }: { job: Job; chosen: Addition[] }) {
  const estimate = useQuery({
    queryKey: ['estimate', job.job_id, chosen.toSorted()],
    queryFn: ({ signal }) => subtext.videos.estimate({ url: job.video_url, options: readChoice(chosen) }, { signal }),
    enabled: chosen.length > 0,
    placeholderData: (known) => known,
  })
  const describe = (): string => {
    if (chosen.length === 0) return 'Choose what to add'
    if (estimate.isError) return 'Not available'
    if (!estimate.data) return '…'
    const { cost_usd: cost } = estimate.data
    return cost.high === 0 ? 'Free' : formatUsdRange(cost)
  }
  return (
    <p className="flex items-baseline justify-between gap-4 border-t border-line pt-3 text-sm" aria-live="polite">
      <span className="text-muted">Estimated price</span>
      <span className="font-medium tabular-nums">{describe()}</span>
    </p>
  )
}
