import type { Block } from './blocks.ts'
import { LANGUAGE_CUES } from './language-cues.ts'
import type { LengthWindow, Speech } from './speech.ts'

/** `[from, to)` of a block's text. */
interface Stretch {
  from: number
  to: number
}

/** What becomes a sentence. */
export interface Span extends Stretch {
  /** How sure both ends are, 0 (cut anywhere) to 1 (full stops). */
  sureness: number
}

interface Break {
  at: number
  /** How probably a sentence ends here, about 0 to 1.5. */
  strength: number
}

const LINE_STRENGTH = 0.1
const CLAUSE_STRENGTH = 0.5
const STARTER_STRENGTH = 0.6
const ENDER_STRENGTH = 1.2
/** From here on a break is taken at once. */
const SURE = 1
const UNFINISHED_LOSS = 0.7
const FULL_PAUSE_MS = 1_200

/** Index of the first element that is not below `value`; `sorted` ascends. */
export const lowerBound = (sorted: ArrayLike<number>, value: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

const buildBreaks = (block: Block, { from, to }: Stretch, speech: Speech): Break[] => {
  const strengths = new Map<number, number>()
  const add = (at: number, strength: number) => {
    if (at > from && at < to) strengths.set(at, (strengths.get(at) ?? 0) + strength)
  }
  for (let i = lowerBound(block.offsets, from + 1); i < block.offsets.length; i++) {
    const at = block.offsets[i] as number
    if (at >= to) break
    add(at, LINE_STRENGTH + Math.min(1, (block.pauses[i] ?? 0) / FULL_PAUSE_MS))
  }
  const run = block.text.slice(from, to)
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  const addMatches = (pattern: RegExp | null | undefined, strength: number, after: boolean) => {
    if (!pattern) return
    for (const match of run.matchAll(pattern)) {
      let at = from + match.index + (after ? match[0].length : 0)
      while (after && block.text[at] === ' ') at++
      add(at, strength)
    }
  }
  addMatches(/[,;:، 、，；：؛]+(?<![^,;:،、，；：؛]\s)\s*|[、，；：]/gu, CLAUSE_STRENGTH, true)
  addMatches(cues?.starters, STARTER_STRENGTH, false)
  addMatches(cues?.enders, ENDER_STRENGTH, true)
  const unfinished = (at: number) => cues?.unfinished.test(block.text.slice(Math.max(from, at - 24), at).trimEnd())
  return [...strengths]
    .map(([at, strength]) => ({ at, strength: unfinished(at) ? strength - UNFINISHED_LOSS : strength }))
    .sort((a, b) => a.at - b.at)
}

/** Last resort: before the last word that fits, else anywhere that does not tear a character. */
const cutWithin = (text: string, from: number, latest: number, earliest: number): number => {
  const space = text.lastIndexOf(' ', latest)
  if (space > earliest) return space + 1
  let at = latest
  while (at > from + 1 && /^(?:[\p{M}\p{Cf}]|[\udc00-\udfff])/u.test(text.slice(at, at + 1))) at--
  return at
}

/** The first break that is sure, else the best; null when there is none in reach. */
const nextBreak = (breaks: Break[], from: number, first: number, { target, max }: LengthWindow): Break | null => {
  let best: Break | null = null
  let bestScore = -Infinity
  for (let i = first; i < breaks.length; i++) {
    const candidate = breaks[i] as Break
    if (candidate.at > from + max) break
    if (candidate.strength >= SURE) return candidate
    const score = candidate.strength - (0.8 * Math.abs(candidate.at - from - target)) / target
    if (score > bestScore) {
      best = candidate
      bestScore = score
    }
  }
  return best
}

const surenessOf = (strength: number): number => Math.min(1, Math.max(0, strength))

/** Cuts a run without full stops into stretches of readable length, where pauses and turns of phrase suggest it. */
export const splitRun = (block: Block, run: Stretch, speech: Speech): Span[] => {
  const { min, max, cut } = speech.lengths
  const breaks = buildBreaks(block, run, speech)
  const spans: Span[] = []
  let from = run.from
  let start = 1
  let first = 0
  while (run.to > from) {
    while (first < breaks.length && (breaks[first] as Break).at < from + min) first++
    const next = nextBreak(breaks, from, first, speech.lengths)
    const strength = next?.strength ?? 0
    if (run.to - from <= max && strength < SURE) break
    const to = next?.at ?? cutWithin(block.text, from, from + max, from + min)
    const end = surenessOf(strength)
    spans.push({ from, to, sureness: (start + end) / 2 })
    from = to
    start = end
  }
  const last = spans.at(-1)
  const tail = run.to - from
  if (last && tail < min && last.to - last.from + tail <= cut) last.to = run.to
  else if (tail > 0) spans.push({ from, to: run.to, sureness: (start + 1) / 2 })
  return spans
}
