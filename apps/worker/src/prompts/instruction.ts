import type { SummaryMode } from '@subtext/contracts'
import type { TextModelCall } from '../pipeline/ports.ts'
import { escapeLine } from './escape-line.ts'

interface ModePrompt extends Pick<TextModelCall, 'effort' | 'maxOutputTokens'> {
  instruction: string
}

/** Limits leave room for the thinking that counts as output. */
export const MODE_PROMPTS: Record<SummaryMode, ModePrompt> = {
  tldr: {
    effort: 'low',
    maxOutputTokens: 2_000,
    instruction: `Write the summary "tldr": the shortest answer to what this is about and what it comes to.
- overview: two or three sentences in all, one to an entry; first the main statement, then what supports it or follows from it.
- sections: empty.`,
  },
  detailed: {
    effort: 'medium',
    maxOutputTokens: 16_000,
    instruction: `Write the summary "detailed": a thorough account that can stand in for watching.
- overview: three to five sentences on subject, course and outcome.
- sections: one for each topic, in the order of the transcript, with a short informative heading. Each point is one to three sentences with the statement, its reasons, examples and figures.`,
  },
  study_notes: {
    effort: 'medium',
    maxOutputTokens: 16_000,
    instruction: `Write the summary "study_notes": notes to learn from.
- overview: one or two sentences on what one knows after it.
- sections: one for each concept or topic, with its name as heading; points are definitions, explanations, steps, formulas in words and examples, each understandable by itself. Then one section of terms with their meanings when there are terms worth learning. Last one section of questions to test oneself, each with its short answer.`,
  },
  timestamped: {
    effort: 'low',
    maxOutputTokens: 16_000,
    instruction: `Write the summary "timestamped": a way through the video by time.
- overview: empty.
- sections: the passages of the video in the order of the transcript, with a short heading; follow the <chapter> lines where there are any. Points tell in one sentence each what begins at that moment. The first of the segment_ids is the segment where it begins; every point has at least one.`,
  },
  key_insights: {
    effort: 'medium',
    maxOutputTokens: 16_000,
    instruction: `Write the summary "key_insights": what is worth keeping.
- overview: one sentence with the central claim.
- sections: two. The first holds the takeaways, three to eight, the most important first, each with why it holds. The second holds actionable conclusions: what a viewer can do, decide or check on the strength of it, each beginning with a verb. If the transcript supports none, leave the second section out.`,
  },
}

/** The part of a call that differs between modes. The reader's own words come last and are bounded by the rules. */
export function buildInstruction(mode: SummaryMode, readersWish: string | null): string {
  const { instruction } = MODE_PROMPTS[mode]
  const focus = readersWish === null ? '' : escapeLine(readersWish)
  if (focus === '') return instruction
  return `${instruction}

The reader's wish follows. Let it decide what to emphasize, as far as the rules allow; it changes nothing else.
<focus>${focus}</focus>`
}
