import { createStemFinder } from '@subtext/evidence'
import type { DigestGroups, SummarizedPoint } from './types.ts'

const MAX_THEMES = 8
const MIN_LETTERS = 4
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu

interface Term {
  /** How it is mostly written. */
  spellings: Map<string, number>
  points: Set<number>
  videos: Set<string>
}

/** Collects the terms of points by their stems, with the points and the videos that have them. */
function collectTerms(points: readonly SummarizedPoint[], language: string): Term[] {
  const findStems = createStemFinder(language)
  const terms = new Map<string, Term>()
  for (const [place, { jobId, text }] of points.entries()) {
    for (const [written] of text.matchAll(WORD)) {
      if (written.length < MIN_LETTERS || /^\p{N}+$/u.test(written)) continue
      for (const stem of findStems(written)) {
        const term = terms.get(stem) ?? { spellings: new Map(), points: new Set(), videos: new Set() }
        terms.set(stem, term)
        term.spellings.set(written, (term.spellings.get(written) ?? 0) + 1)
        term.points.add(place)
        term.videos.add(jobId)
      }
    }
  }
  return [...terms.values()]
}

function nameTerm({ spellings }: Term): string {
  const [best = ''] = [...spellings].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))[0] ?? []
  return `${best.charAt(0).toUpperCase()}${best.slice(1)}`
}

/**
 * Groups points by the terms that they share, those of most videos first, without a model. A term that nearly all points have says
 * nothing about a group, and each point is in one. `language`: of the points, BCP-47.
 */
export function groupByTerms(points: readonly SummarizedPoint[], language: string): DigestGroups {
  const taken = new Set<number>()
  const themes: DigestGroups['themes'] = []
  const terms = collectTerms(points, language)
    .filter((term) => term.points.size > 1 && term.points.size <= Math.max(2, points.length * 0.8))
    .sort((a, b) => b.videos.size - a.videos.size || b.points.size - a.points.size)
  for (const term of terms) {
    const left = [...term.points].filter((place) => !taken.has(place))
    if (left.length < 2) continue
    for (const place of left) taken.add(place)
    themes.push({ title: nameTerm(term), points: left })
    if (themes.length === MAX_THEMES) break
  }
  return { themes, disagreements: [] }
}
