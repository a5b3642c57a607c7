import { foldText } from './fold-text.ts'
import type { RenderableResult } from './renderable-result.ts'

/** The chapters that have titles, to be passed in the order of the video. */
interface ChapterWalk {
  /** Their starts in milliseconds, ascending. */
  breaks: number[]
  /** Returns the titles of the chapters that start at or before this time, and after that of the call before. */
  pass(startMs: number): string[]
}

/** Starts a walk through the chapters of a video. */
export function walkChapters({ chapters }: RenderableResult['videoInfo']): ChapterWalk {
  const upcoming = chapters
    .map(({ title, start }) => ({ title: foldText(title), startMs: start * 1000 }))
    .filter(({ title }) => title !== '')
    .sort((a, b) => a.startMs - b.startMs)
  const breaks = upcoming.map(({ startMs }) => startMs)
  const pass = (startMs: number): string[] => {
    const next = upcoming.findIndex((chapter) => chapter.startMs > startMs)
    return upcoming.splice(0, next === -1 ? upcoming.length : next).map(({ title }) => title)
  }
  return { breaks, pass }
}
