import type { ButtonHTMLAttributes } from 'react'
import { cx } from './cx.ts'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-accent-ink hover:brightness-110',
  secondary: 'bg-surface text-ink border border-line hover:bg-sunken',
  quiet: 'text-muted hover:text-ink hover:bg-sunken',
  danger: 'bg-surface text-danger border border-line hover:bg-danger-soft',
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant
  /** Disables the button and says that something is under way. */
  busy?: boolean
}

export function Button({ variant = 'secondary', busy = false, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(
        'inline-flex h-9 items-center justify-center gap-2 rounded-lg px-3.5 text-sm font-medium transition disabled:opacity-60',
        VARIANTS[variant],
        className,
      )}
      {...rest}
    />
  )
}
