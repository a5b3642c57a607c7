import Check from 'virtual:icons/check'
import Link from 'virtual:icons/link'
import Quote from 'virtual:icons/quote'
import type { Segment } from '@subtext/sdk'
import { type PointerEvent, type ReactNode, useEffect, useState } from 'react'
import { formatTime } from '../../format.ts'
import { cx } from '../../ui/cx.ts'
import { useCopy } from '../../ui/use-copy.ts'
import { isTyping } from './use-shortcuts.ts'

interface LineActionsProps {
  line: Segment
  /** The line as a quotation. */
  quote: string
  /** The address at which this page shows the line. */
  address: string
  /** Distance from the start of the list. */
  top: number
}

/**
 * Copies a line, or a link to it, with buttons at its end or the keys `c` and `l`. The buttons are no tab stops, because the
 * transcript is a single one.
 */
export function LineActions({ line, quote, address, top }: LineActionsProps) {
  const quotation = useCopy()
  const link = useCopy()
  const isRefused = quotation.outcome === 'refused' || link.outcome === 'refused'
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === 'c') void quotation.copy(quote)
      else if (event.key === 'l') void link.copy(address)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [quotation.copy, link.copy, quote, address])
  return (
    <div
      role="toolbar"
      aria-label={`Line at ${formatTime(line.start)}`}
      // The line keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute end-1.5 top-1 z-10 flex items-center rounded-lg border border-line bg-surface p-0.5 shadow-sm print:hidden"
      style={{ transform: `translateY(${top}px)` }}
    >
      <span aria-live="polite" className={cx('text-xs text-muted', isRefused ? 'px-2' : 'sr-only')}>
        {isRefused ? 'Your browser does not allow copying' : (quotation.outcome ?? link.outcome) && 'Copied'}
      </span>
      <Action
        label="Copy quotation"
        hint="Copy quotation (c)"
        isDone={quotation.outcome === 'copied'}
        onClick={() => void quotation.copy(quote)}
      >
        <Quote className="size-4" aria-hidden="true" />
      </Action>
      <Action
        label="Copy link to this moment"
        hint="Copy link to this moment (l)"
        isDone={link.outcome === 'copied'}
        onClick={() => void link.copy(address)}
      >
        <Link className="size-4" aria-hidden="true" />
      </Action>
    </div>
  )
}

interface ActionProps {
  label: string
  hint: string
  isDone: boolean
  onClick: () => void
  children: ReactNode
}

function Action({ label, hint, isDone, onClick, children }: ActionProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={hint}
      onClick={onClick}
      className="grid size-7 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
    >
      {isDone ? <Check className="size-4 text-success" aria-hidden="true" /> : children}
    </button>
  )
}

/** Returns the index of the line under the mouse, if any, and the handlers that watch it. */
export function useHoveredLine() {
  const [hovered, setHovered] = useState<number | null>(null)
  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return
    const index = target.closest<HTMLElement>('[data-index]')?.dataset.index
    // Over the buttons, the line that they belong to stays.
    if (index !== undefined) setHovered(Number(index))
  }
  return { hovered, handlers: { onPointerOver, onPointerLeave: () => setHovered(null) } }
}
