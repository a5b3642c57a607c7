import { dropInventedTimes } from './invented-times.ts'
import { buildPlainText } from './model-text.ts'

/** Every round takes away a level of what was put into each other; nobody writes more by accident. */
const MAX_ROUNDS = 6

/**
 * What a model wrote, as it may be shown beside the evidence. Where something is taken out, the words around it come
 * together and may be an address, a tag or a time in turn: all is looked at until nothing changes. Empty if it never ends.
 */
export function buildClaimText(text: string, evidence: string): string {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const shown = dropInventedTimes(buildPlainText(text), evidence)
    if (shown === text) return shown
    text = shown
  }
  return ''
}
