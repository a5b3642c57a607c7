import type { TranscriptSize } from '@subtext/contracts'

/** A share of letters outside ASCII that no language in Latin script reaches. */
const MIN_FOREIGN_SHARE = 0.3

/**
 * Returns the characters beyond Latin and its extensions. In UTF-8, those of most scripts take one byte more than a letter of
 * ASCII, those of East Asia and India two.
 */
export function countForeign({ characters, bytes }: TranscriptSize): number {
  if (characters === 0) return 0
  const extra = Math.max(0, bytes - characters) / characters
  return extra < MIN_FOREIGN_SHARE ? 0 : Math.min(characters, (extra / (extra > 1 ? 2 : 1)) * characters)
}

/** Whether most of the text is in another script than Latin, where tokens are shorter. */
export const isForeign = (size: TranscriptSize): boolean => countForeign(size) * 2 > size.characters

/** Returns the size of a part of the transcript, given as a share. */
export const scaleSize = ({ cues, characters, bytes }: TranscriptSize, share: number): TranscriptSize => ({
  cues: Math.max(1, Math.round(cues * share)),
  characters: Math.round(characters * share),
  bytes: Math.round(bytes * share),
})
