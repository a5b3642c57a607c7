import type { JobStep, SummaryMode } from '@subtext/sdk'

/** The summary modes in the order in which pages show them, with their names. */
export const MODES: readonly [SummaryMode, string][] = [
  ['tldr', 'TL;DR'],
  ['detailed', 'Detailed'],
  ['study_notes', 'Study notes'],
  ['timestamped', 'Timeline'],
  ['key_insights', 'Key insights'],
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
