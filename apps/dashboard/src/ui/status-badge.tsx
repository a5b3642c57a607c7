import { cx } from './cx.ts'

const TONES: Record<string, string> = {
  completed: 'bg-success-soft text-success',
  delivered: 'bg-success-soft text-success',
  active: 'bg-success-soft text-success',
  processed: 'bg-success-soft text-success',
  failed: 'bg-danger-soft text-danger',
  revoked: 'bg-danger-soft text-danger',
  partial_failure: 'bg-warning-soft text-warning',
  disabled: 'bg-warning-soft text-warning',
  expired: 'bg-warning-soft text-warning',
  paused: 'bg-warning-soft text-warning',
  waiting: 'bg-warning-soft text-warning',
  skipped: 'bg-sunken text-muted',
  suspended: 'bg-danger-soft text-danger',
}

/** A state in a word, with the color that belongs to it. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <span
      className={cx(
        'inline-block shrink-0 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap first-letter:uppercase',
        TONES[status] ?? 'bg-accent-soft text-accent',
      )}
    >
      {status.replaceAll('_', ' ')}
    </span>
  )
}
