/** What fields have in common: an edge that can be seen, and the size of text. Each of them adds its height and padding. */
export const CONTROL =
  'rounded-lg border border-edge bg-surface text-sm text-ink placeholder:text-muted hover:border-muted aria-invalid:border-danger'
