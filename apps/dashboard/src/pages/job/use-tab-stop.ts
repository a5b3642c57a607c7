import type { Virtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

interface Lines {
  count: number
  /** The line that is being spoken. */
  current: number | null
  scroller: RefObject<HTMLElement | null>
  /** Called when someone moves through the lines. */
  onMove: () => void
}

const MOVES: Record<string, (from: number, last: number) => number> = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * Makes lines of which only some are in the page one tab stop, so that the Tab key leads past them: the arrow keys move the focus
 * from line to line, and it follows the line being spoken when `j` or `k` changes that.
 */
export function useTabStop({ count, current, scroller, onMove }: Lines) {
  const [focused, setFocused] = useState<number | null>(null)
  /** Whether `j` or `k` is down. Both may leave the line being spoken as it is: on the last one, `j` leads nowhere. */
  const isFollowing = useRef(false)
  useEffect(() => {
    if (focused === null) return
    const line = scroller.current?.querySelector<HTMLElement>(`[data-index="${focused}"] button`)
    if (line !== document.activeElement) line?.focus({ preventScroll: true })
  }, [focused, scroller])
  useEffect(() => {
    if (isFollowing.current) setFocused(current)
  }, [current])
  return {
    /** Stays in the page wherever the list is scrolled to, or the focus would be lost. */
    focused,
    /** Returns the line to which the Tab key leads: `wanted` if it can be seen, or the first that can. */
    find: (visible: Virtualizer<HTMLDivElement, Element>['range'], wanted: number | null): number => {
      if (focused !== null) return focused
      const { startIndex, endIndex } = visible ?? { startIndex: 0, endIndex: 0 }
      return wanted !== null && wanted >= startIndex && wanted <= endIndex ? wanted : startIndex
    },
    handlers: {
      onFocus: ({ target }: FocusEvent) => {
        const index = target.closest<HTMLElement>('[data-index]')?.dataset.index
        if (index !== undefined) setFocused(Number(index))
      },
      onBlur: ({ currentTarget, relatedTarget, target }: FocusEvent) => {
        isFollowing.current = false
        // When someone looks at another window or tab, the line gets the focus back afterwards.
        const isAway = document.activeElement === target
        if (!isAway && !currentTarget.contains(relatedTarget)) setFocused(null)
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (focused === null || event.ctrlKey || event.metaKey || event.altKey) return
        isFollowing.current = event.key === 'j' || event.key === 'k'
        const move = MOVES[event.key]
        if (!move) return
        event.preventDefault()
        onMove()
        setFocused(Math.max(0, Math.min(count - 1, move(focused, count - 1))))
      },
      onKeyUp: () => {
        isFollowing.current = false
      },
    },
  }
}
