import { at } from '@subtext/runtime'
import type { Pace } from '../pacer.ts'
import { beginsWithPronoun } from './habits.ts'
import { LANGUAGE_CUES, occursIn } from './language-cues.ts'
import { sameTextKey } from './sentence-text.ts'
import { type Sentence, WHOLE } from './sentences.ts'
import type { Speech } from './speech.ts'
import type { Token } from './tokens.ts'
import { cosine, type Vector } from './vectors.ts'

/** The bonus for being at the very beginning. */
const LEAD_BONUS = 0.2
const ENOUGH_WORDS = 4
/** The share that is left of the value of a sentence that nobody understands alone. */
const PRONOUN_SHARE = 0.3
/** The same of a sentence that ends in the middle, or has too few words to say something. */
const FRAGMENT_SHARE = 0.4
const MIN_SPOKEN_WORDS = 6

/** What is left of the value of a question, which says nothing by itself. */
const QUESTION_SHARE = 0.3
const QUESTION = /[?？؟]["'”’»)）」』]*$/u
/** Dots after a sentence that nobody ends. A list may end with them. */
const BROKEN_OFF = /(?<!\betc)(?:\.\.\.|…)$/u

/** Sentences with figures say more than others. */
const FIGURE_GAIN = 2
const FIGURE = /\p{Nd}/u

/** A subject to emphasize, and the bonus for a sentence about exactly that subject. */
export interface Focus {
  vector: Vector
  gain: number
}

interface PriorInput {
  sentences: Sentence[]
  tokens: Token[][]
  vectors: Vector[]
  speech: Speech
  focuses: Focus[]
}

function lengthFactor(length: number, { lengths }: Speech): number {
  if (length < lengths.min) return 0.25 + 0.75 * (length / lengths.min)
  return length > lengths.max ? 0.8 : 1
}

const MIN_WHOLENESS = 0.5
/** What a passage is worth, and one with figures, which say more than other words. */
const PASSAGE = { plain: 0.1, figures: 0.65 }
/** Few ends are surer in speech without punctuation. */
const SURE = 0.6

/** Whole sentences come first; a passage of which nothing is known is shown if nothing whole says nearly as much. */
const rateWholeness = (confidence: number, hasFigures: boolean): number =>
  confidence >= WHOLE ? MIN_WHOLENESS + Math.min(1, confidence / SURE) : hasFigures ? PASSAGE.figures : PASSAGE.plain

/** Rates how much of a sentence a reader understands who has not read the one before. */
function rateAlone({ text, spoken }: Sentence, { tag, language, isUnspaced }: Speech): number {
  const cues = language ? LANGUAGE_CUES[language] : null
  const said = text.replace(/^"\.\.\. /, '')
  const isShort = !isUnspaced && said.split(' ', MIN_SPOKEN_WORDS).length < MIN_SPOKEN_WORDS
  const isFragment = isShort || occursIn(cues?.unfinished, spoken) || BROKEN_OFF.test(spoken)
  return (beginsWithPronoun(said, tag) ? PRONOUN_SHARE : 1) * (isFragment ? FRAGMENT_SHARE : 1)
}

function wordFactor(tokens: Token[]): number {
  const distinct = new Set(tokens.map((token) => token.stem))
  distinct.delete('')
  return Math.min(1, (0.5 + distinct.size) / ENOUGH_WORDS)
}

/** Rates how suitable each sentence is for a summary by itself, about 0 to 3: by length, content, position and subject. */
export async function buildPriors(
  { sentences, tokens, vectors, speech, focuses }: PriorInput,
  pace: Pace,
): Promise<number[]> {
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  const leadLength = 2 + sentences.length * 0.04
  const seen = new Set<string>()
  const priors: number[] = []
  for (const [i, sentence] of sentences.entries()) {
    await pace()
    const key = sameTextKey(sentence.text)
    const isRepeated = seen.has(key)
    seen.add(key)
    const vector = at(vectors, i)
    const hasFigures = FIGURE.test(sentence.spoken)
    priors.push(
      lengthFactor(sentence.text.length, speech) *
        rateWholeness(sentence.confidence, hasFigures) *
        wordFactor(tokens[i] ?? []) *
        (1 + LEAD_BONUS * Math.exp(-i / leadLength)) *
        (1 + focuses.reduce((sum, { vector: focus, gain }) => sum + gain * cosine(vector, focus), 0)) *
        (isRepeated ? 0.05 : 1) *
        (hasFigures ? FIGURE_GAIN : 1) *
        (QUESTION.test(sentence.text) ? QUESTION_SHARE : 1) *
        rateAlone(sentence, speech) *
        (occursIn(cues?.promotion, sentence.spoken) ? 0.2 : 1),
    )
  }
  return priors
}
