import type { Cue } from '@subtext/contracts'
import { createTextFolder, type FoldedWord, type TextFolder } from './fold-text.ts'

/** Called between small steps of a long computation. */
type Pace = () => Promise<void>

/** What separates a word from the one before it: nothing, spaces, or something else. */
export const GAP = { none: 0, space: 1, other: 2 } as const

/** A transcript whose words can be compared, in a form that needs little memory. */
export interface FoldedTranscript {
  /** The segments, joined by one blank. */
  text: string
  /** Where each segment begins in the text, and finally where another one would. */
  segments: Uint32Array
  startsMs: Float64Array
  endsMs: Float64Array
  /** The different words. */
  vocabulary: FoldedWord[]
  /** Each word of the text by its place in the vocabulary, where it is in the text, and the gap before it. */
  words: Uint32Array
  starts: Uint32Array
  lengths: Uint16Array
  gaps: Uint8Array
}

/**
 * Pieces of text that are one step of work. They end before something other than a letter or digit where there is any, so that
 * they have the words of the whole.
 */
const PIECE = /.{1,800}(?![\p{L}\p{M}\p{N}])|.{1,800}/gsu
const SPACES = /^\s+$/u

const gapBetween = (text: string, end: number, start: number): number => {
  if (start <= end) return GAP.none
  return SPACES.test(text.slice(end, start)) ? GAP.space : GAP.other
}

/** Collects numbers in arrays that grow, because a number of an ordinary array takes much more memory. */
function createWordList() {
  let size = 0
  let capacity = 1_024
  let words = new Uint32Array(capacity)
  let starts = new Uint32Array(capacity)
  let lengths = new Uint16Array(capacity)
  let gaps = new Uint8Array(capacity)
  const grow = (): void => {
    capacity *= 2
    const copy = <A extends Uint32Array | Uint16Array | Uint8Array>(to: A, from: A): A => {
      to.set(from)
      return to
    }
    words = copy(new Uint32Array(capacity), words)
    starts = copy(new Uint32Array(capacity), starts)
    lengths = copy(new Uint16Array(capacity), lengths)
    gaps = copy(new Uint8Array(capacity), gaps)
  }
  return {
    push(word: number, start: number, length: number, gap: number): void {
      if (size === capacity) grow()
      words[size] = word
      starts[size] = start
      lengths[size] = length
      gaps[size] = gap
      size++
    },
    finish: () => ({
      words: words.slice(0, size),
      starts: starts.slice(0, size),
      lengths: lengths.slice(0, size),
      gaps: gaps.slice(0, size),
    }),
  }
}

/** Folds the words of a text. Calls `pace` between small steps. */
export async function foldWordsOf(text: string, folder: TextFolder, pace: Pace) {
  const list = createWordList()
  const vocabulary: FoldedWord[] = []
  const places = new Map<FoldedWord, number>()
  let lastEnd = 0
  for (const match of text.matchAll(PIECE)) {
    await pace()
    folder.fold(match[0], (word, start, end) => {
      let place = places.get(word)
      if (place === undefined) {
        place = vocabulary.push(word) - 1
        places.set(word, place)
      }
      const begin = match.index + start
      list.push(place, begin, end - start, gapBetween(text, lastEnd, begin))
      lastEnd = match.index + end
    })
  }
  return { vocabulary, ...list.finish() }
}

/** Folds a transcript. `folder`: of its language, if several transcripts share one. */
export async function foldTranscript(
  cues: readonly Cue[],
  language: string,
  pace: Pace,
  folder: TextFolder = createTextFolder(language),
): Promise<FoldedTranscript> {
  const segments = new Uint32Array(cues.length + 1)
  const startsMs = new Float64Array(cues.length)
  const endsMs = new Float64Array(cues.length)
  let length = 0
  for (const [nth, { text, startMs, durationMs }] of cues.entries()) {
    segments[nth] = length
    startsMs[nth] = startMs
    endsMs[nth] = startMs + durationMs
    length += text.length + 1
  }
  segments[cues.length] = length
  const text = cues.map((cue) => cue.text).join(' ')
  return { text, segments, startsMs, endsMs, ...(await foldWordsOf(text, folder, pace)) }
}

/** Returns about how many bytes of memory a folded transcript takes. */
export const measureTranscript = ({ text, segments, words, vocabulary }: FoldedTranscript): number =>
  text.length * 2 + segments.length * 20 + words.length * 11 + vocabulary.length * 150
