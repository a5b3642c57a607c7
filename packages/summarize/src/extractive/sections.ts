import type { VideoInfo } from '@subtext/contracts'
import type { Pace } from '../pacer.ts'
import { cleanCueText, isReadable } from './cue-text.ts'
import type { Sentence } from './sentences.ts'
import type { Vector } from './vectors.ts'

/** A stretch of sentences `[from, to)`; `title` is the chapter's, null where the topic itself made the section. */
export interface SectionRange {
  from: number
  to: number
  title: string | null
}

/** More chapters than the platform allows are not chapters. */
const MAX_CHAPTERS = 100
const MAX_TITLE_CHARS = 120
const MAX_TOPICS = 12
const FEW_SENTENCES = 8
const MAX_GAPS = 400

const titleOf = (raw: string): string | null => {
  const { text } = cleanCueText(raw)
  if (!isReadable(text)) return null
  return text.length <= MAX_TITLE_CHARS
    ? text
    : `${text
        .slice(0, MAX_TITLE_CHARS)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}…`
}

/** Null when the video has no chapters to speak of. */
const splitByChapters = (sentences: Sentence[], chapters: VideoInfo['chapters']): SectionRange[] | null => {
  const sorted = chapters.filter((chapter) => Number.isFinite(chapter.start)).sort((a, b) => a.start - b.start)
  if (sorted.length < 2 || sorted.length > MAX_CHAPTERS) return null
  const ranges: SectionRange[] = []
  let from = 0
  for (const [i, chapter] of sorted.entries()) {
    const endMs = (sorted[i + 1]?.start ?? Number.POSITIVE_INFINITY) * 1000
    let to = from
    while (to < sentences.length) {
      const sentence = sentences[to] as Sentence
      if ((sentence.startMs + sentence.endMs) / 2 >= endMs) break
      to++
    }
    if (to > from) ranges.push({ from, to, title: titleOf(chapter.title) })
    from = to
  }
  return ranges.length >= 2 ? ranges : null
}

const topicCount = (sentences: number): number =>
  sentences < FEW_SENTENCES ? 1 : Math.min(MAX_TOPICS, Math.max(2, Math.round(Math.sqrt(sentences) / 2.2)))

const sumOf = (vectors: Vector[]): Map<number, number> => {
  const sum = new Map<number, number>()
  for (const { terms, weights } of vectors) {
    terms.forEach((term, i) => {
      sum.set(term, (sum.get(term) ?? 0) + (weights[i] as number))
    })
  }
  return sum
}

const likeness = (left: Vector[], right: Vector[]): number => {
  const a = sumOf(left)
  const b = sumOf(right)
  const squares = (sum: Map<number, number>) => [...sum.values()].reduce((total, weight) => total + weight * weight, 0)
  let product = 0
  for (const [term, weight] of a) product += weight * (b.get(term) ?? 0)
  return product / (Math.sqrt(squares(a) * squares(b)) || 1)
}

/** How far the likeness at a gap lies below the nearest peaks on both sides. */
const depthAt = (likenesses: number[], gap: number): number => {
  const here = likenesses[gap] as number
  const peak = (step: -1 | 1) => {
    let highest = here
    for (let i = gap + step; i >= 0 && i < likenesses.length && (likenesses[i] as number) >= highest; i += step) {
      highest = likenesses[i] as number
    }
    return highest
  }
  return peak(-1) + peak(1) - 2 * here
}

/** TextTiling (Hearst 1997): a new topic begins where the words before and after a gap are least alike. */
const splitByTopics = async (vectors: Vector[], pace: Pace): Promise<SectionRange[]> => {
  const size = vectors.length
  const count = topicCount(size)
  const stride = Math.max(1, Math.ceil(size / MAX_GAPS))
  const reach = Math.min(30, Math.max(4, Math.round(size / count)))
  const gaps: number[] = []
  for (let at = stride; at < size; at += stride) gaps.push(at)
  const likenesses: number[] = []
  for (const at of gaps) {
    likenesses.push(likeness(vectors.slice(Math.max(0, at - reach), at), vectors.slice(at, at + reach)))
    await pace()
  }
  const ranked = gaps
    .map((at, i) => ({ at, depth: depthAt(likenesses, i) }))
    .sort((a, b) => b.depth - a.depth || a.at - b.at)
  const apart = Math.max(3, Math.floor(size / (count * 2)))
  const borders = [0, size]
  for (const { at } of ranked) {
    if (borders.length > count) break
    if (borders.every((border) => Math.abs(border - at) >= apart)) borders.push(at)
  }
  borders.sort((a, b) => a - b)
  return borders.slice(1).map((to, i) => ({ from: borders[i] as number, to, title: null }))
}

/** Consecutive, not empty, and together all sentences. */
export const buildSections = async (
  sentences: Sentence[],
  vectors: Vector[],
  chapters: VideoInfo['chapters'],
  pace: Pace,
): Promise<SectionRange[]> => splitByChapters(sentences, chapters) ?? (await splitByTopics(vectors, pace))
