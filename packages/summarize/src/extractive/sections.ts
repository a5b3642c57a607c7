import type { VideoInfo } from '@subtext/contracts'
import { at } from '@subtext/runtime'
import type { Pace } from '../pacer.ts'
import { cleanCueText, isReadable } from './cue-text.ts'
import type { Sentence } from './sentences.ts'
import type { Vector } from './vectors.ts'

/** The sentences `[from, to)`. `title` is that of the chapter; null if the section was found by its topic. */
export interface SectionRange {
  from: number
  to: number
  title: string | null
}

/** A list longer than the platform allows is not a list of chapters. */
const MAX_CHAPTERS = 100
const MAX_TITLE_CHARS = 120
const MAX_TOPICS = 12
const MIN_SENTENCES = 8
const MAX_GAPS = 400

function cleanTitle(raw: string): string | null {
  const { text } = cleanCueText(raw)
  if (!isReadable(text)) return null
  if (text.length <= MAX_TITLE_CHARS) return text
  return `${text
    .slice(0, MAX_TITLE_CHARS)
    .toWellFormed()
    .replace(/\ufffd$/u, '')}…`
}

/** Returns null if the video has no usable chapters. */
function splitByChapters(sentences: Sentence[], chapters: VideoInfo['chapters']): SectionRange[] | null {
  const sorted = chapters.filter((chapter) => Number.isFinite(chapter.start)).sort((a, b) => a.start - b.start)
  if (sorted.length < 2 || sorted.length > MAX_CHAPTERS) return null
  const ranges: SectionRange[] = []
  let from = 0
  for (const [i, chapter] of sorted.entries()) {
    const endMs = (sorted[i + 1]?.start ?? Number.POSITIVE_INFINITY) * 1000
    let to = from
    while (to < sentences.length) {
      const sentence = at(sentences, to)
      if ((sentence.startMs + sentence.endMs) / 2 >= endMs) break
      to++
    }
    if (to > from) ranges.push({ from, to, title: cleanTitle(chapter.title) })
    from = to
  }
  return ranges.length >= 2 ? ranges : null
}

const topicCount = (sentences: number): number =>
  sentences < MIN_SENTENCES ? 1 : Math.min(MAX_TOPICS, Math.max(2, Math.round(Math.sqrt(sentences) / 2.2)))

function sumVectors(vectors: Vector[]): Map<number, number> {
  const sum = new Map<number, number>()
  for (const { terms, weights } of vectors) {
    for (const [i, term] of terms.entries()) sum.set(term, (sum.get(term) ?? 0) + at(weights, i))
  }
  return sum
}

/** Returns the cosine of the sums of two groups of vectors. */
function compareGroups(left: Vector[], right: Vector[]): number {
  const a = sumVectors(left)
  const b = sumVectors(right)
  const squares = (sum: Map<number, number>) => [...sum.values()].reduce((total, weight) => total + weight * weight, 0)
  let product = 0
  for (const [term, weight] of a) product += weight * (b.get(term) ?? 0)
  return product / (Math.sqrt(squares(a) * squares(b)) || 1)
}

/** Returns how far the similarity at a gap lies below the nearest peaks on both sides. */
function depthAt(similarities: number[], gap: number): number {
  const here = at(similarities, gap)
  const findPeak = (step: -1 | 1) => {
    let highest = here
    for (let i = gap + step; ; i += step) {
      const similarity = similarities[i]
      if (similarity === undefined || similarity < highest) return highest
      highest = similarity
    }
  }
  return findPeak(-1) + findPeak(1) - 2 * here
}

/** Splits at topics by TextTiling (Hearst 1997): a new topic begins where the words before and after a gap differ most. */
async function splitByTopics(vectors: Vector[], pace: Pace): Promise<SectionRange[]> {
  const size = vectors.length
  const count = topicCount(size)
  const stride = Math.max(1, Math.ceil(size / MAX_GAPS))
  const reach = Math.min(30, Math.max(4, Math.round(size / count)))
  const gaps: number[] = []
  for (let gap = stride; gap < size; gap += stride) gaps.push(gap)
  const similarities: number[] = []
  for (const gap of gaps) {
    similarities.push(compareGroups(vectors.slice(Math.max(0, gap - reach), gap), vectors.slice(gap, gap + reach)))
    await pace()
  }
  const ranked = gaps
    .map((position, i) => ({ position, depth: depthAt(similarities, i) }))
    .sort((a, b) => b.depth - a.depth || a.position - b.position)
  const minDistance = Math.max(3, Math.floor(size / (count * 2)))
  const borders = [0, size]
  for (const { position } of ranked) {
    if (borders.length > count) break
    if (borders.every((border) => Math.abs(border - position) >= minDistance)) borders.push(position)
  }
  borders.sort((a, b) => a - b)
  return borders.slice(1).map((to, i) => ({ from: at(borders, i), to, title: null }))
}

/** Divides all sentences into consecutive sections, none of them empty. */
export const buildSections = async (
  sentences: Sentence[],
  vectors: Vector[],
  chapters: VideoInfo['chapters'],
  pace: Pace,
): Promise<SectionRange[]> => splitByChapters(sentences, chapters) ?? (await splitByTopics(vectors, pace))
