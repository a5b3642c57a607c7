import type { Segment } from '@subtext/sdk'
import { type RefObject, useEffect } from 'react'
import { isTyping } from '../../ui/is-typing.ts'
import { findSegment } from './find-in-transcript.ts'
import type { PlayerState } from './player-state.ts'

interface ShortcutContext {
  player: PlayerState
  segments: readonly Segment[]
  chapters: readonly { start: number }[]
  searchField: RefObject<HTMLInputElement | null>
}

/** The keys of the job page, with what they do. */
export const SHORTCUTS = [
  ['/', 'Search in the transcript'],
  ['j', 'Next line'],
  ['k', 'Previous line'],
  ['↑ ↓', 'Move the focus from line to line'],
  ['c', 'Copy the line as a quotation'],
  ['l', 'Copy a link to the line'],
  ['Space', 'Play or pause'],
  [']', 'Next chapter'],
  ['[', 'Previous chapter'],
  ['?', 'Show these shortcuts'],
] as const

const isPressable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('button, a, [role="tab"]') !== null

/** Lets single keys control the page, except where someone types. */
export function useShortcuts({ player, segments, chapters, searchField }: ShortcutContext): void {
  useEffect(() => {
    const goToLine = (by: number) => {
      const current = findSegment(segments, player.time)
      const next = segments[current === null ? 0 : Math.max(0, Math.min(segments.length - 1, current + by))]
      if (next) player.seek(next.start)
    }
    const goToChapter = (isNext: boolean) => {
      const others = chapters.filter(({ start }) => (isNext ? start > player.time : start < player.time - 2))
      const chapter = isNext ? others[0] : others.at(-1)
      if (chapter) player.seek(chapter.start)
    }
    const actions: Record<string, () => void> = {
      '/': () => searchField.current?.focus(),
      j: () => goToLine(1),
      k: () => goToLine(-1),
      ' ': () => player.togglePlay(),
      ']': () => goToChapter(true),
      '[': () => goToChapter(false),
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === ' ' && isPressable(event.target)) return
      const action = actions[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [player, segments, chapters, searchField])
}
