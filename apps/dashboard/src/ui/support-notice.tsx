import { formatClock } from '../format.ts'
import { Notice } from './notice.tsx'

/** Tells an operator whose account this is, on every page. */
export function SupportNotice({ email, until }: { email: string; until: string }) {
  return (
    <div className="mb-6 print:hidden">
      <Notice tone="warning">
        You see the account of <strong>{email}</strong> for support, until {formatClock(new Date(until))}. You can
        change nothing. Sign out to end it.
      </Notice>
    </div>
  )
}
