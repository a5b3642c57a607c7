import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const TONES = {
  danger: 'bg-danger-soft text-danger',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
}

/** A short message about what has just happened, which screen readers announce. */
export function Notice({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return (
    <p role={tone === 'danger' ? 'alert' : 'status'} className={cx('rounded-lg px-3 py-2 text-sm', TONES[tone])}>
      {children}
    </p>
  )
}
