export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent)" />
        <path d="M8 11h16M8 16h11M8 21h14" stroke="var(--accent-ink)" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      Subtext
    </span>
  )
}
