import type { ReactNode } from 'react'

/** An area that scrolls if its contents are too large, by keyboard as well. `className` says in which direction. */
export function ScrollArea({ className, children }: { className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
    <div tabIndex={0} className={className}>
      {children}
    </div>
  )
}
