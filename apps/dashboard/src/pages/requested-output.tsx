import type { SummaryMode } from '@subtext/sdk'
import { FEATURE_PLANS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../api/account.ts'
import { nameLanguage } from '../format.ts'
import { Chip } from '../ui/chip.tsx'
import { cx } from '../ui/cx.ts'
import { TextArea } from '../ui/field.tsx'
import { LabeledSelect } from '../ui/select.tsx'
import { ModeChoice } from './mode-choice.tsx'
import { TemplateChoice } from './template-choice.tsx'

/** What to make of a video. */
export interface RequestedOutput {
  modes: SummaryMode[]
  templates: string[]
  hasInfographic: boolean
  /** The language of the summaries and of filled templates; empty for that of the video. */
  outputLanguage: string
}

export const DEFAULT_OPTIONS: RequestedOutput = {
  modes: ['tldr'],
  templates: [],
  hasInfographic: false,
  outputLanguage: '',
}

/** Whether anything is written, for which language and instructions matter. */
export const isWriting = ({ modes, templates }: Pick<RequestedOutput, 'modes' | 'templates'>): boolean =>
  modes.length > 0 || templates.length > 0

/** Returns the options in the form of a request. */
export const toVideoOptions = ({ modes, templates, hasInfographic, outputLanguage }: RequestedOutput) => ({
  summary_modes: modes,
  ...(templates.length > 0 && { templates }),
  ...(hasInfographic && { generate_infographic: true }),
  ...(outputLanguage !== '' && isWriting({ modes, templates }) && { output_language: outputLanguage }),
})

interface OptionsProps {
  options: RequestedOutput
  onChange: (changes: Partial<RequestedOutput>) => void
}

/** The summaries and templates that the plan includes or the transcript alone, and a picture. */
export function OutputChoice({ options, onChange }: OptionsProps) {
  const { data: account } = useQuery(accountQuery)
  const { modes, templates, hasInfographic } = options
  if (!account) return null
  return (
    <>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-1.5 text-sm font-medium">Summaries</legend>
        <ModeChoice
          offered={account.summary_modes}
          modes={modes}
          hasOthers={templates.length > 0}
          // A picture is based on a summary.
          onModes={(chosen) => onChange({ modes: chosen, hasInfographic: hasInfographic && chosen.length > 0 })}
        />
        {account.features.includes('infographics') && (
          <Chip
            name="Infographic"
            isChosen={hasInfographic}
            onToggle={() =>
              onChange({ hasInfographic: !hasInfographic, modes: modes.length > 0 ? modes : DEFAULT_OPTIONS.modes })
            }
          />
        )}
      </fieldset>
      <TemplateChoice templates={templates} onTemplates={(chosen) => onChange({ templates: chosen })} />
    </>
  )
}

/** Languages that people ask for. The API takes any other, too. */
const LANGUAGES = (
  'ar bg bn ca cs da de el en es et fa fi fr gu he hi hr hu id it ja ko lt lv mr ms nl no pl pt-BR pt-PT ro ru sk sl sr sv sw ' +
  'ta te th tr uk ur vi zh-Hans zh-Hant'
)
  .split(' ')
  .map((tag) => [tag, nameLanguage(tag)] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other))
const OUTPUT_LANGUAGES = [['', 'That of the video'] as const, ...LANGUAGES]

interface LanguageChoiceProps {
  options: Pick<RequestedOutput, 'outputLanguage'>
  onChange: (changes: Pick<RequestedOutput, 'outputLanguage'>) => void
}

/** The language in which the summaries are written. */
export function LanguageChoice({ options: { outputLanguage: tag }, onChange }: LanguageChoiceProps) {
  const isListed = OUTPUT_LANGUAGES.some(([known]) => known === tag)
  return (
    <LabeledSelect
      label="Language of the summaries"
      options={isListed ? OUTPUT_LANGUAGES : [...OUTPUT_LANGUAGES, [tag, nameLanguage(tag)]]}
      value={tag}
      onChange={(outputLanguage) => onChange({ outputLanguage })}
    />
  )
}

export interface Instructed {
  instructions: string
}

interface InstructionsFieldProps {
  options: Instructed
  onChange: (changes: Instructed) => void
  className?: string
}

const MAX_INSTRUCTIONS = 2_000

/** What the summaries should focus on, or that the plan does not include it. */
export function InstructionsField({ options, onChange, className }: InstructionsFieldProps) {
  const { data: account } = useQuery(accountQuery)
  if (!account) return null
  if (!account.features.includes('custom_instructions')) {
    return (
      <p className={cx('text-sm text-muted', className)}>
        Instructions for the summaries are part of the {FEATURE_PLANS.custom_instructions} plan.
      </p>
    )
  }
  return (
    <TextArea
      label="Instructions"
      isOptional
      maxLength={MAX_INSTRUCTIONS}
      placeholder="What the summaries should focus on"
      value={options.instructions}
      onChange={(event) => onChange({ instructions: event.target.value })}
      className={className}
    />
  )
}
