import { SUMMARY_MODES } from '@subtext/contracts'
import {
  createClaimChecks,
  createLeakGuard,
  createQuoteFinder,
  createScriptCheck,
  createStemFinder,
} from '@subtext/evidence'
import { findLabels } from '@subtext/render'
import { buildInstruction, buildNotesInstruction, type OutputOptions } from '../prompts/instruction.ts'
import { createLineResolver } from '../prompts/resolve-lines.ts'
import { SYSTEM_RULES } from '../prompts/rules.ts'
import type { PromptLine } from '../prompts/transcript-document.ts'
import type { SummarySource } from '../summarizer.ts'
import type { DraftCheck } from './check-draft.ts'

const SECRETS = [
  SYSTEM_RULES,
  buildInstruction(SUMMARY_MODES, { language: 'en', focus: null }),
  buildNotesInstruction(1, 2, { language: 'en', focus: null, isQuoting: true }),
  buildInstruction(['tldr'], { language: 'en', focus: null }),
]
const HEADING_LEAK_WORDS = 4
const isLeak = createLeakGuard(SECRETS)
const isHeadingLeak = createLeakGuard(SECRETS, HEADING_LEAK_WORDS)

/** What claims and headings are checked with, besides the evidence. */
type Checks = Omit<DraftCheck, 'evidence'>

/** Creates the checks of claims about the transcript, and of those about notes on it. `passages`: the lines, joined. */
export function createChecks(
  source: SummarySource,
  { language, isQuoting }: OutputOptions,
  { lines, passages }: { lines: PromptLine[]; passages: PromptLine[] },
): { lines: Checks; notes: Checks } {
  const { video, track } = source
  const spoken = track.language
  const published = [video.title, video.channel.name, video.description]
  const inOneLanguage = createClaimChecks({ language, linesLanguage: language, published })
  const findQuoted = createQuoteFinder(source.cues)
  const starts = new Set(passages.map(({ id }) => id))
  const cited = { lines, findQuoted, isStart: (id: number) => starts.has(id) }
  const common = {
    isLeak,
    headings: { findStems: createStemFinder(language), checks: inOneLanguage },
    isHeadingLeak,
    labels: findLabels(language),
    // A track can be mislabeled, so the script is enforced only for a language that was requested.
    isInScript: source.outputLanguage === null ? () => true : createScriptCheck(language),
    findSaid: findQuoted,
  }
  const comparable = createClaimChecks({ language, linesLanguage: spoken, published })
  if (!isQuoting) {
    const findStems = createStemFinder(spoken)
    const checks = { ...common, findStems, checks: comparable }
    return { lines: { ...checks, resolve: createLineResolver({ ...cited, findStems }) }, notes: checks }
  }
  return {
    lines: {
      ...common,
      findStems: null,
      findQuoted,
      resolve: createLineResolver({ ...cited, findStems: null }),
      checks: comparable,
    },
    // Notes are in the language of the summaries, and each was proved by quotations.
    notes: { ...common, findStems: createStemFinder(language), isEachCompared: true, checks: inOneLanguage },
  }
}
