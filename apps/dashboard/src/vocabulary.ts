import type { JobStep, SummaryMode } from '@subtext/sdk'
import { SUMMARY_MODES } from '@subtext/sdk/vocabulary'

const MODE_NAMES: Record<SummaryMode, string> = {
  tldr: 'TL;DR',
  detailed: 'Detailed',
  study_notes: 'Study notes',
  timestamped: 'Timeline',
  key_insights: 'Key insights',
}
/** The summary modes in the order in which pages show them, with their names. */
export const MODES: readonly [SummaryMode, string][] = SUMMARY_MODES.map((mode) => [mode, MODE_NAMES[mode]])

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
