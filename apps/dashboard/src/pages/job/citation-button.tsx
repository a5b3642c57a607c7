import type { ReactNode } from 'react'
import { formatTime } from '../../format.ts'

interface CitationButtonProps {
  seconds: number
  /** What is said at that moment. */
  title?: string
  isLit: boolean
  /** Null while there is nothing to lead to. */
  onCite: ((seconds: number) => void) | null
  children: ReactNode
}

/** A moment of the video that supports a statement. Plays it and highlights its line of the transcript. */
export function CitationButton({ seconds, title, isLit, onCite, children }: CitationButtonProps) {
  return (
    <button
      type="button"
      title={title}
      aria-label={`Go to ${formatTime(seconds)}`}
      aria-pressed={isLit}
      disabled={!onCite}
      onClick={() => onCite?.(seconds)}
      className="rounded-md bg-accent-soft px-1.5 py-px align-baseline text-xs font-medium text-accent tabular-nums enabled:hover:underline aria-pressed:bg-accent aria-pressed:text-accent-ink"
    >
      {children}
    </button>
  )
}
