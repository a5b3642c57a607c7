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

interface DeriveJobProps {
  job: Job
  result: DefaultResult
}

type Choice = SummaryMode | 'infographic'

/** Derives a job with more summaries from a finished one, and opens its page. */
export function DeriveJobDialog({ job, result }: DeriveJobProps) {
  const missing: [Choice, string][] = MODES.filter(([mode]) => result.summaries[mode] === undefined)
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
        <DeriveJobForm job={job} missing={missing} />
      ) : (
        <p className="text-sm text-muted">This job already has every summary and the infographic.</p>
      )}
    </Dialog>
  )
}

/** What the request asks for, in the form that submitting and deriving share. */
function readChoice(chosen: Choice[]) {
  const modes = chosen.filter((choice) => choice !== 'infographic')
  return {
    ...(modes.length > 0 && { summary_modes: modes }),
    ...(chosen.includes('infographic') && { generate_infographic: true }),
  }
}

/** What a derived job takes over from its source. */
const inherit = ({ language, output_language, custom_instructions }: Job) => ({
  summary_modes: [],
  language,
  output_language,
  custom_instructions,
})

function DeriveJobForm({ job, missing }: { job: Job; missing: [Choice, string][] }) {
  const { data: account } = useQuery(accountQuery)
  const [chosen, setChosen] = useState<Choice[]>([])
  const queries = useQueryClient()
  const request = useIdempotencyKey()
  const navigate = useNavigate()
  const derive = useMutation({
    mutationFn() {
      const body = readChoice(chosen)
      return subtext.videos.derive(job.job_id, body, { idempotencyKey: request.keyFor(body) })
    },
    async onSuccess(derived) {
      request.done()
      await rememberSubmitted(queries, derived, { ...inherit(job), ...readChoice(chosen) })
      await navigate({ to: '/jobs/$jobId', params: { jobId: derived.job_id } })
    },
  })
  const planOf = (choice: Choice): string | null => {
    if (!account) return null
    if (choice === 'infographic')
      return account.features.includes('infographics') ? null : `${FEATURE_PLANS.infographics} plan`
    return account.summary_modes.includes(choice) ? null : `${MODE_PLANS[choice]} plan`
  }
  const toggle = (choice: Choice) =>
    setChosen((known) => (known.includes(choice) ? known.filter((other) => other !== choice) : [...known, choice]))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        derive.mutate()
      }}
      className="flex flex-col gap-4"
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">What to add</legend>
        {missing.map(([choice, name]) => {
          const plan = planOf(choice)
          return (
            <label
              key={choice}
              className="flex items-center gap-3 rounded-lg border border-line px-3 py-2.5 text-sm transition has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="checkbox"
                checked={chosen.includes(choice)}
                disabled={plan !== null}
                onChange={() => toggle(choice)}
                className="size-4 accent-accent"
              />
              {name}
              {plan && <span className="ml-auto text-xs text-muted">{plan}</span>}
            </label>
          )
        })}
      </fieldset>
      <Price job={job} chosen={chosen} />
      <ErrorNotice error={derive.error} />
      <Button type="submit" variant="primary" disabled={chosen.length === 0} busy={derive.isPending}>
        {chosen.length > 1 ? `Add ${chosen.length}` : 'Add'}
      </Button>
    </form>
  )
}

/** The estimated price of the derived job. */
function Price({ job, chosen }: { job: Job; chosen: Choice[] }) {
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
