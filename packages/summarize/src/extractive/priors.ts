import type { Pace } from '../pacer.ts'
import { LANGUAGE_CUES, occursIn } from './language-cues.ts'
import { sameTextKey } from './sentence-text.ts'
import type { Sentence } from './sentences.ts'
import type { Speech } from './speech.ts'
import type { Token } from './tokens.ts'
import { cosine, type Vector } from './vectors.ts'

/** How much being at the very beginning adds. */
const LEAD = 0.1
const FEW_WORDS = 4

/** A wanted subject, and how much a sentence on exactly that gains. */
export interface Focus {
  vector: Vector
  gain: number
}

interface Fitness {
  sentences: Sentence[]
  tokens: Token[][]
  vectors: Vector[]
  speech: Speech
  focuses: Focus[]
}

const lengthFactor = (length: number, { lengths }: Speech): number => {
  if (length < lengths.min) return 0.25 + 0.75 * (length / lengths.min)
  return length > lengths.max ? 0.8 : 1
}

const wordFactor = (tokens: Token[]): number => {
  const distinct = new Set(tokens.map((token) => token.stem))
  distinct.delete('')
  return Math.min(1, (0.5 + distinct.size) / FEW_WORDS)
}

/** How fit each sentence is for a summary by itself, about 0 to 3: length, content, place and subject. */
export const buildPriors = async (
  { sentences, tokens, vectors, speech, focuses }: Fitness,
  pace: Pace,
): Promise<number[]> => {
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  const leadLength = 2 + sentences.length * 0.04
  const seen = new Set<string>()
  const priors: number[] = []
  for (const [i, sentence] of sentences.entries()) {
    await pace()
    const key = sameTextKey(sentence.text)
    const repeated = seen.has(key)
    seen.add(key)
    priors.push(
      lengthFactor(sentence.text.length, speech) *
        (0.5 + 0.5 * sentence.sureness) *
        wordFactor(tokens[i] ?? []) *
        (1 + LEAD * Math.exp(-i / leadLength)) *
        (1 + focuses.reduce((sum, { vector, gain }) => sum + gain * cosine(vectors[i] as Vector, vector), 0)) *
        (repeated ? 0.05 : 1) *
        (/[?？؟]["'”’»)）」』]*$/u.test(sentence.text) ? 0.6 : 1) *
        (occursIn(cues?.promotion, sentence.spoken) ? 0.2 : 1),
    )
  }
  return priors
}
