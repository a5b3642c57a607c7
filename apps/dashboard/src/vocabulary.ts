import type { Job, JobStep, SummaryMode } from '@subtext/sdk'
import { BUILT_IN_TEMPLATES, SUMMARY_MODES } from '@subtext/sdk/vocabulary'
import { nameLanguage } from './format.ts'

const MODE_NAMES: Record<SummaryMode, string> = {
  tldr: 'TL;DR',
  detailed: 'Detailed',
  study_notes: 'Study notes',
  timestamped: 'Timeline',
  key_insights: 'Key insights',
}
/** The summary modes in the order in which pages show them, with their names. */
export const MODES: readonly [SummaryMode, string][] = SUMMARY_MODES.map((mode) => [mode, MODE_NAMES[mode]])

type BuiltIn = keyof typeof BUILT_IN_TEMPLATES
const BUILT_IN_NAMES: Record<BuiltIn, string> = {
  quotes: 'Quotes',
  chapters: 'Chapters',
  action_items: 'Action items',
  flashcards: 'Flash cards',
}
/** The built-in templates with their names. */
export const BUILT_IN: readonly (readonly [BuiltIn, string])[] = (Object.keys(BUILT_IN_TEMPLATES) as BuiltIn[]).map(
  (name) => [name, BUILT_IN_NAMES[name]],
)

/** Returns the name under which pages show a template. */
export const nameTemplate = (name: string): string => BUILT_IN.find(([builtIn]) => builtIn === name)?.[1] ?? name

/** Returns the names of modes in the order in which pages show them; without any, that of the transcript alone. */
export const nameModes = (modes: readonly SummaryMode[]): string =>
  MODES.filter(([mode]) => modes.includes(mode))
    .map(([, name]) => name)
    .join(', ') || 'Transcript only'

/** Names what a job was asked to write. A derived job adds it to what its source has. */
export function describeModes({ derived_from, summary_modes, generate_infographic, templates = [] }: Job): string {
  // While the service is being upgraded, a process of the release before may answer.
  if (summary_modes === undefined) return ''
  const isAlone = summary_modes.length === 0 && templates.length > 0
  if (derived_from === undefined) return isAlone ? '' : nameModes(summary_modes)
  if (summary_modes.length > 0) return `Added: ${nameModes(summary_modes)}`
  return generate_infographic || isAlone ? 'Added' : ''
}

/** Describes what a job was asked for besides its summaries, by which jobs of the same video can be told apart. */
export const describeRequest = (job: Job): string[] => [
  ...(job.generate_infographic ? ['Infographic'] : []),
  ...(job.templates ?? []).map(nameTemplate),
  ...(job.output_language ? [`in ${nameLanguage(job.output_language)}`] : []),
  ...(job.language ? [`captions in ${nameLanguage(job.language)}`] : []),
  ...(job.custom_instructions ? [`“${job.custom_instructions}”`] : []),
  ...(job.client_reference ? [job.client_reference] : []),
]

const STEPS: Record<JobStep, string> = {
  queued: 'Waiting for a worker',
  fetching_video: 'Looking up the video',
  fetching_captions: 'Reading the captions',
  summarizing: 'Writing the summaries',
  rendering_infographic: 'Drawing the infographic',
  completed: 'Completed',
  failed: 'Failed',
}

/** Describes a step of a job. A step that this release does not know is shown by its name. */
export const describeStep = (step: JobStep): string => STEPS[step] ?? step

/** Returns a state as a word with a capital letter. */
export const nameStatus = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1)

/** Returns the choices of a filter: all, or one of the values. */
export const listChoices = <T extends string>(
  values: readonly T[],
  nameOf: (value: T) => string,
): readonly (readonly [T | '', string])[] => [['', 'All'], ...values.map((value) => [value, nameOf(value)] as const)]
