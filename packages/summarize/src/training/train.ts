import { FEATURES, findFeatures, hashWords } from '../extractive/borders/features.ts'
import { LENGTHS, markOf, SLOTS, slotOf, type Weights } from '../extractive/borders/weights.ts'
import type { Labeled } from './sentences-of.ts'

const IDS = SLOTS * 256
const idOf = (feature: number): number => slotOf(feature) * 256 + markOf(feature)
const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds))

/** A feature that was seen less often says nothing. */
const MIN_COUNT = 2
const EPOCHS = 3
const RATE = 0.1
const DECAY = 2e-6
const MAX_WEIGHT = 4

type Visit = (ids: Uint32Array, isEnd: number) => void

function visitGaps(documents: Labeled[], visit: Visit): void {
  const features = new Uint32Array(FEATURES)
  const ids = new Uint32Array(FEATURES)
  for (const { words, ends } of documents) {
    const hashed = hashWords(words)
    for (let i = 0; i < words.length - 1; i++) {
      findFeatures(hashed, i, features)
      for (let k = 0; k < FEATURES; k++) ids[k] = idOf(features[k] ?? 0)
      visit(ids, ends[i] ?? 0)
    }
  }
}

/** Logistic regression by stochastic gradient descent with AdaGrad (Duchi et al., 2011) over the features that are kept. */
function fit(documents: Labeled[], weights: Float32Array, isKept: Uint8Array, epochs: number): number {
  const squares = new Float32Array(IDS)
  let [bias, biasSquares] = [weights[0] ?? 0, 0]
  for (let epoch = 0; epoch < epochs; epoch++) {
    visitGaps(documents, (ids, isEnd) => {
      let odds = bias
      for (const id of ids) if (isKept[id]) odds += weights[id] ?? 0
      const error = sigmoid(odds) - isEnd
      biasSquares += error * error
      bias -= (RATE * error) / (Math.sqrt(biasSquares) + RATE)
      for (const id of ids) {
        if (!isKept[id]) continue
        const weight = weights[id] ?? 0
        const gradient = error + DECAY * weight
        const sum = (squares[id] ?? 0) + gradient * gradient
        squares[id] = sum
        weights[id] = weight - (RATE * gradient) / (Math.sqrt(sum) + RATE)
      }
    })
  }
  return bias
}

/** Keeps the feature of each slot that matters most often. */
function keepOnePerSlot(weights: Float32Array, counts: Uint16Array, isKept: Uint8Array): void {
  for (let slot = 0; slot < SLOTS; slot++) {
    let best = -1
    let bestValue = 0
    for (let id = slot * 256 + 1; id < (slot + 1) * 256; id++) {
      const value = isKept[id] ? Math.abs(weights[id] ?? 0) * (counts[id] ?? 0) : 0
      isKept[id] = 0
      if (value > bestValue) [best, bestValue] = [id, value]
    }
    if (best >= 0) isKept[best] = 1
  }
}

/** Returns how much likelier a sentence of each length is than if it could end after every word alike. */
function rateLengths(documents: Labeled[]): Float32Array {
  const counts = new Array<number>(LENGTHS).fill(1)
  let [sentences, words] = [LENGTHS, 0]
  for (const { ends } of documents) {
    let length = 0
    for (const end of ends) {
      length++
      words++
      if (!end) continue
      const index = Math.min(LENGTHS, length) - 1
      counts[index] = (counts[index] ?? 0) + 1
      sentences++
      length = 0
    }
  }
  const rate = sentences / words
  return Float32Array.from(counts, (count, i) => {
    const isLast = i === LENGTHS - 1
    const alike = isLast ? (1 - rate) ** i : (1 - rate) ** i * rate
    return Math.log(count / sentences / alike)
  })
}

/** The share of words after which a sentence ends, in talks and conversations together. */
const USUAL_RATE = 1 / 15

const toOdds = (rate: number): number => Math.log(rate / (1 - rate))

/** Returns the share of words after which a sentence ends. */
function rateOf(documents: Labeled[]): number {
  let [ends, words] = [0, 0]
  for (const document of documents) {
    words += document.ends.length
    for (const end of document.ends) ends += end
  }
  return ends / words
}

export interface TrainingSet {
  documents: Labeled[]
  /** Those whose sentences follow each other. */
  connected: Labeled[]
  /** Whether most of the text was spoken. */
  isSpeech: boolean
}

/** Trains on all documents. How long sentences are is learned from the connected ones. */
export function trainWeights({ documents, connected, isSpeech }: TrainingSet): Weights {
  const counts = new Uint16Array(IDS)
  visitGaps(documents, (ids) => {
    for (const id of ids) counts[id] = Math.min(65_535, (counts[id] ?? 0) + 1)
  })
  const isKept = new Uint8Array(IDS)
  for (let id = 0; id < IDS; id++) if ((counts[id] ?? 0) >= MIN_COUNT) isKept[id] = 1
  const weights = new Float32Array(IDS)
  fit(documents, weights, isKept, EPOCHS - 1)
  keepOnePerSlot(weights, counts, isKept)
  const bias = fit(documents, weights, isKept, 1)
  const scale = MAX_WEIGHT / 127
  const slots = new Int8Array(2 * SLOTS)
  for (let id = 0; id < IDS; id++) {
    if (!isKept[id]) continue
    const slot = 2 * Math.floor(id / 256)
    slots[slot] = id % 256
    slots[slot + 1] = Math.max(-127, Math.min(127, Math.round((weights[id] ?? 0) / scale)))
  }
  // Collections of examples have shorter sentences than speech.
  const shift = isSpeech ? 0 : toOdds(USUAL_RATE) - toOdds(rateOf(documents))
  return { scale, bias: bias + shift, lengths: rateLengths(connected), slots }
}
