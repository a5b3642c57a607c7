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
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { MODES } from '../../vocabulary.ts'
import { InstructionsField, LanguageChoice } from '../requested-output.tsx'
import { TemplateChoice } from '../template-choice.tsx'
import { type Addition, type Choice, changesText, describeDerived, type Style, toDerivation } from './addition.ts'
import { DerivedPrice } from './derived-price.tsx'

interface DeriveJobProps {
  job: Job
  result: DefaultResult
}

/** Derives a job with more summaries from a finished one, or with summaries in another language, and opens its page. */
export function DeriveJobDialog({ job, result }: DeriveJobProps) {
  return (
    <Dialog
      title="Add a summary"
      description="The transcript already exists, so this does not count toward your quota. The result is a new job with your existing summaries and the new ones."
      trigger={
        <Button variant="quiet">
          <Plus className="size-4" aria-hidden="true" />
          Add a summary
        </Button>
      }
    >
      <DeriveJobForm job={job} result={result} />
    </Dialog>
  )
}

function DeriveJobForm({ job, result }: DeriveJobProps) {
  const [wanted, setWanted] = useState<Choice[]>([])
  const [templates, setTemplates] = useState<string[]>([])
  const [style, setStyle] = useState<Style>({
    outputLanguage: job.output_language ?? '',
    instructions: job.custom_instructions ?? '',
  })
  const queries = useQueryClient()
  const request = useIdempotencyKey()
  const navigate = useNavigate()
  const isPresent = (choice: Choice): boolean =>
    choice === 'infographic' ? result.infographic_url !== undefined : result.summaries[choice] !== undefined
  // A summary is written again only to differ from the one that is there.
  const isOffered = (choice: Choice): boolean =>
    !isPresent(choice) || (choice !== 'infographic' && changesText(job, style))
  const addition: Addition = { ...style, chosen: wanted.filter(isOffered), templates }
  const derive = useMutation({
    mutationFn() {
      const body = toDerivation(job, addition)
      return subtext.videos.derive(job.job_id, body, { idempotencyKey: request.keyFor(body) })
    },
    async onSuccess(derived) {
      request.done()
      await rememberSubmitted(queries, derived, describeDerived(job, addition))
      await navigate({ to: '/jobs/$jobId', params: { jobId: derived.job_id } })
    },
  })
  const toggle = (choice: Choice) =>
    setWanted((known) => (known.includes(choice) ? known.filter((other) => other !== choice) : [...known, choice]))
  const changeStyle = (changes: Partial<Style>) => setStyle((known) => ({ ...known, ...changes }))
  const count = addition.chosen.length + templates.length
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
        {CHOICES.map(([choice, name]) => (
          <ChoiceBox
            key={choice}
            choice={choice}
            name={name}
            isChosen={addition.chosen.includes(choice)}
            isOffered={isOffered(choice)}
            isPresent={isPresent(choice)}
            onToggle={() => toggle(choice)}
          />
        ))}
      </fieldset>
      <TemplateChoice
        templates={templates}
        onTemplates={setTemplates}
        present={Object.keys(result.extractions ?? {})}
      />
      <LanguageChoice options={style} onChange={changeStyle} />
      <InstructionsField options={style} onChange={changeStyle} />
      <DerivedPrice job={job} addition={addition} />
      <ErrorNotice error={derive.error} />
      <Button type="submit" variant="primary" disabled={count === 0} busy={derive.isPending}>
        {count > 1 ? `Add ${count}` : 'Add'}
      </Button>
    </form>
  )
}

const CHOICES: [Choice, string][] = [...MODES, ['infographic', 'Infographic']]

interface ChoiceBoxProps {
  choice: Choice
  name: string
  isChosen: boolean
  isOffered: boolean
  /** Whether the job has it already. */
  isPresent: boolean
  onToggle: () => void
}

function ChoiceBox({ choice, name, isChosen, isOffered, isPresent, onToggle }: ChoiceBoxProps) {
  const { data: account } = useQuery(accountQuery)
  const plan = account ? missingPlanOf(choice, account) : null
  const note = plan ?? (isPresent ? (isOffered ? 'Replaces the one you have' : 'You have it') : null)
  return (
    <label className="flex items-center gap-3 rounded-lg border border-line px-3 py-2.5 text-sm transition has-checked:border-accent has-checked:bg-accent-soft">
      <input
        type="checkbox"
        checked={isChosen}
        disabled={plan !== null || !isOffered}
        onChange={onToggle}
        className="size-4 accent-accent"
      />
      {name}
      {note && <span className="ml-auto text-xs text-muted">{note}</span>}
    </label>
  )
}

/** Returns the plan that would include it; null if that of the account does. */
function missingPlanOf(
  choice: Choice,
  { features, summary_modes }: { features: readonly string[]; summary_modes: readonly SummaryMode[] },
): string | null {
  const isIncluded = choice === 'infographic' ? features.includes('infographics') : summary_modes.includes(choice)
  if (isIncluded) return null
  return `${choice === 'infographic' ? FEATURE_PLANS.infographics : MODE_PLANS[choice]} plan`
}
