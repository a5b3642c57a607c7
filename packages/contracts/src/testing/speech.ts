import type { Cue } from '../media.ts'

const WORDS = 'water river stone slope valley moves slowly under heavy rain "and" <then> it turns & *goes* out'.split(
  ' ',
)
const CUE_MS = 3_000

/**
 * Builds cues of random words up to a number of characters. They are the same in every run, because the generator is seeded.
 */
export function buildSpeech(characters: number, wordsPerCue = 10): Cue[] {
  const cues: Cue[] = []
  let seed = 1
  for (let built = 0; built < characters; ) {
    const words = Array.from({ length: wordsPerCue }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return WORDS[Math.floor((seed / 2 ** 31) * WORDS.length)]
    })
    const text = `${words.join(' ')}.`
    cues.push({ startMs: cues.length * CUE_MS, durationMs: CUE_MS, text })
    built += text.length
  }
  return cues
}
