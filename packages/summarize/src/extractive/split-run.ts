import { at } from '@subtext/runtime'
import type { Block } from './blocks.ts'
import { LANGUAGE_CUES } from './language-cues.ts'
import { lowerBound, type Range, type SentenceRange } from './spans.ts'
import type { LengthWindow, Speech } from './speech.ts'

interface Break {
  at: number
  /** How likely a sentence is to end here, about 0 to 1.5. */
  strength: number
}

const LINE_STRENGTH = 0.1
const CLAUSE_STRENGTH = 0.5
const STARTER_STRENGTH = 0.6
const ENDER_STRENGTH = 1.2
/** A break of at least this strength is used at once. */
const CERTAIN = 1
const UNFINISHED_PENALTY = 0.7
const FULL_PAUSE_MS = 1_200

function buildBreaks(block: Block, { from, to }: Range, speech: Speech): Break[] {
  const strengths = new Map<number, number>()
  const add = (position: number, strength: number) => {
    if (position > from && position < to) strengths.set(position, (strengths.get(position) ?? 0) + strength)
  }
  for (let i = lowerBound(block.offsets, from + 1); i < block.offsets.length; i++) {
    const offset = at(block.offsets, i)
    if (offset >= to) break
    add(offset, LINE_STRENGTH + Math.min(1, (block.pauses[i] ?? 0) / FULL_PAUSE_MS))
  }
  const run = block.text.slice(from, to)
  const cues = speech.language ? LANGUAGE_CUES[speech.language] : null
  const addMatches = (pattern: RegExp | null | undefined, strength: number, after: boolean) => {
    if (!pattern) return
    for (const match of run.matchAll(pattern)) {
      let position = from + match.index + (after ? match[0].length : 0)
      while (after && block.text[position] === ' ') position++
      add(position, strength)
    }
  }
  addMatches(/[,;:،、，；：؛][\s,;:،、，；：؛]*/gu, CLAUSE_STRENGTH, true)
  addMatches(cues?.starters, STARTER_STRENGTH, false)
  addMatches(cues?.enders, ENDER_STRENGTH, true)
  const isUnfinished = (position: number) =>
    cues?.unfinished.test(block.text.slice(Math.max(from, position - 24), position).trimEnd())
  return [...strengths]
    .map(([position, strength]) => ({
      at: position,
      strength: isUnfinished(position) ? strength - UNFINISHED_PENALTY : strength,
    }))
    .sort((a, b) => a.at - b.at)
}

/** As a last resort, cuts before the last word that fits, or else anywhere that does not split a character. */
function cutWithin(text: string, from: number, latest: number, earliest: number): number {
  const space = text.lastIndexOf(' ', latest)
  if (space > earliest) return space + 1
  let position = latest
  while (position > from + 1 && /^(?:[\p{M}\p{Cf}]|[\udc00-\udfff])/u.test(text.slice(position, position + 1))) {
    position--
  }
  return position
}

/** Returns the first certain break, or else the best one; null if there is none within reach. */
function nextBreak(breaks: Break[], from: number, first: number, { target, max }: LengthWindow): Break | null {
  let best: Break | null = null
  let bestScore = -Infinity
  for (let i = first; i < breaks.length; i++) {
    const candidate = at(breaks, i)
    if (candidate.at > from + max) break
    if (candidate.strength >= CERTAIN) return candidate
    const score = candidate.strength - (0.8 * Math.abs(candidate.at - from - target)) / target
    if (score > bestScore) {
      best = candidate
      bestScore = score
    }
  }
  return best
}

const toConfidence = (strength: number): number => Math.min(1, Math.max(0, strength))

/** Cuts a run without full stops into sentences of readable length, where pauses and phrases suggest it. */
export function splitRun(block: Block, run: Range, speech: Speech): SentenceRange[] {
  const { min, max, cut } = speech.lengths
  const breaks = buildBreaks(block, run, speech)
  const spans: SentenceRange[] = []
  let from = run.from
  let start = 1
  let first = 0
  while (run.to > from) {
    while (first < breaks.length && at(breaks, first).at < from + min) first++
    const next = nextBreak(breaks, from, first, speech.lengths)
    const strength = next?.strength ?? 0
    if (run.to - from <= max && strength < CERTAIN) break
    const to = next?.at ?? cutWithin(block.text, from, from + max, from + min)
    const end = toConfidence(strength)
    spans.push({ from, to, confidence: start * end })
    from = to
    start = end
  }
  const last = spans.at(-1)
  const tail = run.to - from
  if (last && tail < min && last.to - last.from + tail <= cut) last.to = run.to
  else if (tail > 0) spans.push({ from, to: run.to, confidence: start })
  return spans
}
