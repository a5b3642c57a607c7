import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../api/account.ts'
import { templatesQuery } from '../api/templates.ts'
import { Chip } from '../ui/chip.tsx'
import { BUILT_IN } from '../vocabulary.ts'

/** Returns the templates that the plan of the account includes, with their names. */
export function useOfferedTemplates(): readonly (readonly [string, string])[] {
  const { data: account } = useQuery(accountQuery)
  const hasOwn = account?.features.includes('templates') ?? false
  const { data: own } = useQuery({ ...templatesQuery, enabled: hasOwn })
  if (!account?.features.includes('built_in_templates')) return []
  return [...BUILT_IN, ...(own?.templates ?? []).map(({ name }) => [name, name] as const)]
}

interface TemplateChoiceProps {
  templates: string[]
  onTemplates: (templates: string[]) => void
  /** Those that are filled already. */
  present?: readonly string[]
}

/** How many are shown before somebody asks for all: an account may have a hundred. */
const SHOWN = 12

/** The templates to fill, or that the plan includes none. */
export function TemplateChoice({ templates, onTemplates, present = [] }: TemplateChoiceProps) {
  const { data: account } = useQuery(accountQuery)
  const offered = useOfferedTemplates().filter(([name]) => !present.includes(name))
  const [showsAll, setShowsAll] = useState(false)
  if (!account) return null
  if (!account.features.includes('built_in_templates')) {
    return (
      <p className="text-sm text-muted">
        Templates, such as quotes and action items, are part of the {FEATURE_PLANS.built_in_templates} plan.
      </p>
    )
  }
  const toggle = (name: string) =>
    onTemplates(templates.includes(name) ? templates.filter((other) => other !== name) : [...templates, name])
  const shown = offered.filter(([name], index) => showsAll || index < SHOWN || templates.includes(name))
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="mb-1.5 text-sm font-medium">Templates</legend>
      {shown.map(([name, title]) => (
        <Chip key={name} name={title} isChosen={templates.includes(name)} onToggle={() => toggle(name)} />
      ))}
      {shown.length < offered.length && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className="px-2 py-1 text-sm text-accent underline-offset-4 hover:underline"
        >
          {`All ${offered.length} templates`}
        </button>
      )}
    </fieldset>
  )
}
