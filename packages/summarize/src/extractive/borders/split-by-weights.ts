import type { Block } from '../blocks.ts'
import { lowerBound, type Range, type SentenceRange } from '../spans.ts'
import type { Speech } from '../speech.ts'
import { divideRun } from './divide.ts'
import { hashWords } from './features.ts'
import { loadWeights } from './load-weights.ts'
import { rateGaps } from './weights.ts'
import { listWords } from './words.ts'

/** Shorter silences also occur within sentences. */
const MIN_PAUSE_MS = 150
const FULL_PAUSE_MS = 1_000
/** Log-odds that a full pause adds. */
const PAUSE_ODDS = 2.5
/** Log-odds of an end that a silence, another speaker or a full stop marks. */
const CERTAIN = 6
/** Log-odds of an end where a block of text was cut. */
const UNCERTAIN = -2

/** Returns the pause before each word of a run that begins a line, by its offset. */
function listPauses(block: Block, { from, to }: Range): Map<number, number> {
  const pauses = new Map<number, number>()
  for (let i = lowerBound(block.offsets, from); i < block.offsets.length; i++) {
    const offset = block.offsets[i] ?? 0
    if (offset >= to) break
    pauses.set(offset, block.pauses[i] ?? 0)
  }
  return pauses
}

const oddsOf = (pauseMs: number): number =>
  pauseMs < MIN_PAUSE_MS ? 0 : PAUSE_ODDS * Math.min(1, pauseMs / FULL_PAUSE_MS)

/** Log-odds that a silence before a timed word adds, by how many times as long as one that stands out it is, and those of none. */
const SILENCES = [
  { times: 3.3, odds: 3 },
  { times: 1.7, odds: 1.8 },
  { times: 1, odds: 1 },
]
const NO_SILENCE_ODDS = -1.3

const oddsOfSilence = (milliseconds: number, longPauseMs: number): number =>
  SILENCES.find(({ times }) => milliseconds >= times * longPauseMs)?.odds ?? NO_SILENCE_ODDS

/** Returns the silence before each word of a run that has a time, 0 included, by its offset. */
function listSilences(block: Block, { from, to }: Range): Map<number, number> {
  const silences = new Map<number, number>()
  for (let i = Math.max(0, lowerBound(block.offsets, from + 1) - 1); i < block.offsets.length; i++) {
    const [offset, line] = [block.offsets[i] ?? 0, block.lines[i]]
    if (offset >= to) break
    if (!line?.pauses) continue
    const known = new Map(line.pauses)
    for (const [word, { index }] of [...line.text.matchAll(/\S+/g)].entries()) {
      silences.set(offset + index, known.get(word) ?? 0)
    }
  }
  return silences
}

/** Divides a run without full stops where the weights of its language expect sentences to end. Null without weights. */
export function splitByWeights(block: Block, run: Range, speech: Speech): SentenceRange[] | null {
  const weights = speech.isUnspaced ? null : loadWeights(speech.tag)
  if (!weights) return null
  const words = listWords(block.text, run.from, run.to)
  const { cut } = speech.lengths
  if (words.length === 0 || words.some((word) => word.to - word.from > cut)) return null
  const odds = rateGaps(weights, hashWords(words), words.length)
  const pauses = listPauses(block, run)
  const { longPauseMs } = block
  const silences = longPauseMs === null ? null : listSilences(block, run)
  for (let i = 1; i < words.length; i++) {
    const offset = words[i]?.from ?? 0
    const silence = silences?.get(offset)
    const added =
      silence === undefined || longPauseMs === null
        ? oddsOf(pauses.get(offset) ?? 0)
        : oddsOfSilence(silence, longPauseMs)
    odds[i - 1] = (odds[i - 1] ?? 0) + added
  }
  const edges = {
    start: block.isContinuation && run.from === 0 ? UNCERTAIN : CERTAIN,
    end: block.isContinued && run.to === block.text.length ? UNCERTAIN : CERTAIN,
  }
  return divideRun({ words, odds, edges }, weights.lengths, cut).map(({ from, to, probability }) => ({
    from: words[from]?.from ?? run.from,
    to: words[to]?.from ?? run.to,
    confidence: probability,
  }))
}
