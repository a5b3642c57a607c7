import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
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

/** The templates to fill, or that the plan includes none. */
export function TemplateChoice({ templates, onTemplates, present = [] }: TemplateChoiceProps) {
  const { data: account } = useQuery(accountQuery)
  const offered = useOfferedTemplates()
  if (!account) return null
  if (offered.length === 0) {
    return (
      <p className="text-sm text-muted">
        Templates, such as quotes and action items, are part of the {FEATURE_PLANS.built_in_templates} plan.
      </p>
    )
  }
  const toggle = (name: string) =>
    onTemplates(templates.includes(name) ? templates.filter((other) => other !== name) : [...templates, name])
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="mb-1.5 text-sm font-medium">Templates</legend>
      {offered
        .filter(([name]) => !present.includes(name))
        .map(([name, title]) => (
          <Chip key={name} name={title} isChosen={templates.includes(name)} onToggle={() => toggle(name)} />
        ))}
    </fieldset>
  )
}
