import type { ForecastScenario, TranscriptSize } from '@subtext/contracts'

type SizeRange = Record<ForecastScenario, TranscriptSize>

/** Characters of speech per second, from slow to fast. */
const CHARACTERS_PER_SECOND = { low: 8, expected: 14, high: 20 }
const SECONDS_PER_CUE = 3
/** Assumed range of the length of a video about which nothing is known, in seconds. */
const TYPICAL_SECONDS = { low: 60, expected: 900, high: 7_200 }

const sizeOfSpeech = (seconds: number, charactersPerSecond: number): TranscriptSize => {
  const characters = Math.ceil(seconds * charactersPerSecond)
  return { cues: Math.ceil(seconds / SECONDS_PER_CUE), characters, bytes: characters }
}

const rangeOf = (sizeOf: (scenario: ForecastScenario) => TranscriptSize): SizeRange => ({
  low: sizeOf('low'),
  expected: sizeOf('expected'),
  high: sizeOf('high'),
})

/** Returns the range of sizes that the transcript of a video may have, based on its length if that is known. */
export const guessSize = (seconds: number | null): SizeRange =>
  rangeOf((scenario) => sizeOfSpeech(seconds ?? TYPICAL_SECONDS[scenario], CHARACTERS_PER_SECOND[scenario]))

/** Lines are separated by a byte, and Markdown escapes some characters. */
const cutShare = ({ cues, bytes }: TranscriptSize, maxBytes: number): number =>
  Math.min(1, maxBytes / Math.max(1, bytes + cues))

/** Returns the sizes after cutting the transcript to a number of bytes. */
export const cutSizes = (sizes: SizeRange, maxBytes: number): SizeRange =>
  rangeOf((scenario) => {
    const size = sizes[scenario]
    const share = cutShare(size, maxBytes)
    return {
      cues: Math.max(1, Math.round(size.cues * share)),
      characters: Math.round(size.characters * share),
      bytes: Math.round(size.bytes * share),
    }
  })

/** Returns the range of a size that is known. */
export const exactly = (size: TranscriptSize): SizeRange => rangeOf(() => size)

/** Whether a transcript of this size certainly stays whole, however many of its characters Markdown escapes. */
export const isNeverCut = ({ cues, bytes }: TranscriptSize, maxBytes: number): boolean => 2 * (bytes + cues) <= maxBytes
