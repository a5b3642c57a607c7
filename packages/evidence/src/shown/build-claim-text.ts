import { buildPlainText } from './build-plain-text.ts'
import { dropInventedTimes } from './drop-invented-times.ts'

/** Maximum number of rounds. Each one removes a level of nesting, and text is never nested deeper by accident. */
const MAX_ROUNDS = 6

/**
 * Returns the text of a model in a form that can be shown next to the evidence. Removing something joins the text around it,
 * which may form a new address, tag or time; so everything is checked until nothing changes. Returns an empty string if that
 * takes too many rounds.
 */
export function buildClaimText(text: string, evidence: string): string {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const shown = dropInventedTimes(buildPlainText(text), evidence)
    if (shown === text) return shown
    text = shown
  }
  return ''
}
