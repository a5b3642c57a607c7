import type { Job, SummaryMode } from '@subtext/sdk'

export type Choice = SummaryMode | 'infographic'

/** How the added summaries are written. */
export interface Style {
  /** Empty for that of the transcript. */
  outputLanguage: string
  instructions: string
}

/** What a derived job adds. */
export interface Addition extends Style {
  chosen: Choice[]
  /** Templates to fill. */
  templates: string[]
}

type Source = Pick<Job, 'output_language' | 'custom_instructions'>

const changesLanguage = ({ output_language = '' }: Source, { outputLanguage }: Style): boolean =>
  outputLanguage !== output_language
const changesInstructions = ({ custom_instructions = '' }: Source, { instructions }: Style): boolean =>
  instructions.trim() !== custom_instructions

/** Returns whether summaries would be written differently from those of the source. */
export const changesText = (source: Source, style: Style): boolean =>
  changesLanguage(source, style) || changesInstructions(source, style)

const modesOf = ({ chosen }: Addition): SummaryMode[] => chosen.filter((choice) => choice !== 'infographic')

/**
 * Returns the request. Without a summary to write, language and instructions are left out: they would have all summaries of the source
 * written again.
 */
export function toDerivation(source: Source, addition: Addition) {
  const modes = modesOf(addition)
  return {
    ...(modes.length > 0 && {
      summary_modes: modes,
      ...(changesLanguage(source, addition) && { output_language: addition.outputLanguage || null }),
      ...(changesInstructions(source, addition) && { custom_instructions: addition.instructions.trim() || null }),
    }),
    ...(addition.chosen.includes('infographic') && { generate_infographic: true }),
    ...(addition.templates.length > 0 && { templates: addition.templates }),
  }
}

/** Returns what the derived job was asked for, as its list shows it. */
export function describeDerived(source: Source & Pick<Job, 'language'>, addition: Addition) {
  const { summary_modes = [], output_language, custom_instructions, ...rest } = toDerivation(source, addition)
  const pick = <T>(changed: T | null | undefined, kept: T | undefined): T | undefined =>
    changed === undefined ? kept : (changed ?? undefined)
  return {
    ...rest,
    summary_modes,
    language: source.language,
    output_language: pick(output_language, source.output_language),
    custom_instructions: pick(custom_instructions, source.custom_instructions),
  }
}

/** Returns the options of a submission that would write the same, for its estimate. */
export function toEstimate({ video_url: url }: Pick<Job, 'video_url'>, addition: Addition) {
  const modes = modesOf(addition)
  const instructions = addition.instructions.trim()
  const { templates } = addition
  const isFilling = templates.length > 0 && addition.chosen.length === 0
  return {
    url,
    options: {
      ...((modes.length > 0 || isFilling) && { summary_modes: modes }),
      ...(templates.length > 0 && { templates }),
      ...(modes.length > 0 && addition.outputLanguage !== '' && { output_language: addition.outputLanguage }),
      ...(addition.chosen.includes('infographic') && { generate_infographic: true }),
    },
    ...(modes.length > 0 && instructions !== '' && { custom_instructions: instructions }),
  }
}
