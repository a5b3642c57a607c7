import Check from 'virtual:icons/check'
import Link from 'virtual:icons/link'
import Quote from 'virtual:icons/quote'
import type { Segment } from '@subtext/sdk'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { formatTime } from '../../format.ts'
import { isTyping } from '../../ui/is-typing.ts'
import { useCopy } from '../../ui/use-copy.ts'

interface LineActionsProps {
  /** The line that is copied; undefined while there is none. */
  line: Segment | undefined
  /** The line as a quotation. */
  quote: string
  /** The address at which this page shows the line. */
  address: string
}

/** Copies a line, or a link to it, by buttons and by the keys `c` and `l`. */
export function useLineActions({ line, quote, address }: LineActionsProps) {
  const { outcome: quoted, copy: copyQuote } = useCopy()
  const { outcome: linked, copy: copyLink } = useCopy()
  useEffect(() => {
    if (!line) return
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === 'c') void copyQuote(quote)
      else if (event.key === 'l') void copyLink(address)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [line, copyQuote, copyLink, quote, address])
  return {
    line,
    outcome: quoted ?? linked,
    isQuoted: quoted === 'copied',
    isLinked: linked === 'copied',
    copyQuote: () => void copyQuote(quote),
    copyLink: () => void copyLink(address),
  }
}

export type LineCopy = ReturnType<typeof useLineActions>

interface LineButtonsProps {
  actions: LineCopy
  /** Whether the Tab key leads past them, to a list that is a single tab stop. */
  isSkipped?: boolean
}

/** The buttons that copy a line. */
export function LineButtons({
  actions: { line, isQuoted, isLinked, copyQuote, copyLink },
  isSkipped,
}: LineButtonsProps) {
  return (
    <div
      role="toolbar"
      aria-label={line ? `Line at ${formatTime(line.start)}` : 'Line'}
      // The line keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className="flex items-center"
    >
      <Action
        name="Copy quotation"
        shortcut="c"
        isDone={isQuoted}
        isDisabled={!line}
        isSkipped={isSkipped}
        onClick={copyQuote}
      >
        <Quote className="size-4" aria-hidden="true" />
      </Action>
      <Action
        name="Copy link to this moment"
        shortcut="l"
        isDone={isLinked}
        isDisabled={!line}
        isSkipped={isSkipped}
        onClick={copyLink}
      >
        <Link className="size-4" aria-hidden="true" />
      </Action>
    </div>
  )
}

interface ActionProps {
  name: string
  shortcut: string
  isDone: boolean
  isDisabled: boolean
  isSkipped: boolean | undefined
  onClick: () => void
  children: ReactNode
}

function Action({ name, shortcut, isDone, isDisabled, isSkipped, onClick, children }: ActionProps) {
  return (
    <button
      type="button"
      tabIndex={isSkipped ? -1 : undefined}
      aria-label={name}
      title={`${name} (${shortcut})`}
      disabled={isDisabled}
      onClick={onClick}
      className="grid size-8 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink disabled:pointer-events-none disabled:opacity-60"
    >
      {isDone ? <Check className="size-4 text-success" aria-hidden="true" /> : children}
    </button>
  )
}

/** Returns the index of the line under the mouse, if any. `list`: what contains the lines, and buttons at the end of one of them. */
export function useHoveredLine(list: RefObject<HTMLElement | null>): number | null {
  const [hovered, setHovered] = useState<number | null>(null)
  useEffect(() => {
    // Listens to the whole page: a button whose icon has changed under the mouse reports no end of it.
    const onPointerOver = ({ target, pointerType }: PointerEvent) => {
      const isInside = pointerType === 'mouse' && target instanceof Element && list.current?.contains(target)
      const index = isInside ? target.closest<HTMLElement>('[data-index]')?.dataset.index : undefined
      if (index !== undefined) setHovered(Number(index))
      // Over the buttons, the line that they belong to stays.
      else if (!isInside) setHovered(null)
    }
    document.addEventListener('pointerover', onPointerOver)
    return () => document.removeEventListener('pointerover', onPointerOver)
  }, [list])
  return hovered
}
