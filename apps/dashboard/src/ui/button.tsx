import type { ButtonHTMLAttributes } from 'react'
import { cx } from './cx.ts'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'dangerous'

const SHAPE =
  'inline-flex h-9 items-center justify-center gap-2 rounded-lg px-3.5 text-sm font-medium whitespace-nowrap transition active:translate-y-px disabled:pointer-events-none disabled:opacity-60 print:hidden'

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-accent-ink shadow-xs hover:brightness-110',
  secondary: 'bg-surface text-ink border border-line shadow-xs hover:bg-sunken',
  quiet: 'text-muted hover:text-ink hover:bg-sunken',
  danger: 'bg-surface text-danger border border-line shadow-xs hover:bg-danger-soft',
  // The last step of what cannot be undone.
  dangerous: 'bg-danger text-danger-ink shadow-xs hover:brightness-110',
}

/** The classes of a link that looks like a secondary button, such as a download. */
export const BUTTON_LINK = cx(SHAPE, VARIANTS.secondary)

/** The classes of a round button with a single letter. */
export const ROUND_BUTTON =
  'grid size-8 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent uppercase'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant
  /** Disables the button and shows that something is in progress. */
  busy?: boolean
}

export function Button({ variant = 'secondary', busy = false, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(SHAPE, VARIANTS[variant], className)}
      {...rest}
    />
  )
}
