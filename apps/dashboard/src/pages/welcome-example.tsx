import { useState } from 'react'
import { formatTime } from '../format.ts'
import { cx } from '../ui/cx.ts'
import { CitationButton } from './job/citation-button.tsx'

const SUMMARY: readonly [string, number][] = [
  ['In 1950 there were better maps of the Moon than of the ocean floor.', 3],
  ['Marie Tharp drew it from soundings that others had made.', 17],
  ['A valley along the ridge told her that continents move.', 114],
]
const LINES: readonly [number, string][] = [
  [3, 'In 1950, we had better maps of the Moon than of the bottom of our own ocean.'],
  [17, 'Her name was Marie Tharp, and she never saw the sea floor she mapped.'],
  [114, 'In each profile, the ridge had a notch at its top. A deep valley, shaped like a V.'],
]

/** A sample summary with the lines that it is based on: a citation highlights its line. */
export function Example() {
  const [lit, setLit] = useState(17)
  return (
    <figure
      aria-label="Example of a summary with its transcript"
      className="overflow-hidden rounded-2xl border border-line bg-surface shadow-xl shadow-black/5"
    >
      <div className="flex flex-col gap-3 p-5 sm:p-6">
        <p className="text-xs font-medium tracking-wide text-muted uppercase">Key insights</p>
        <ul className="flex flex-col gap-2.5 text-[0.95rem] leading-relaxed">
          {SUMMARY.map(([claim, seconds]) => (
            <li key={seconds}>
              {claim}{' '}
              <CitationButton seconds={seconds} isLit={lit === seconds} onCite={setLit}>
                {formatTime(seconds)}
              </CitationButton>
            </li>
          ))}
        </ul>
      </div>
      <ol className="flex flex-col border-t border-line bg-canvas py-2 text-sm">
        {LINES.map(([seconds, text]) => (
          <li
            key={seconds}
            className={cx(
              'flex gap-4 border-s-2 px-5 py-2 transition-colors sm:px-6',
              lit === seconds ? 'border-accent bg-accent-soft' : 'border-transparent text-muted',
            )}
          >
            <span className="w-8 shrink-0 text-end text-xs leading-5 text-muted tabular-nums">
              {formatTime(seconds)}
            </span>
            {text}
          </li>
        ))}
      </ol>
    </figure>
  )
}
