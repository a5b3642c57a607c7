/** The style that all fields share: a visible edge and the text size. Each field adds its height and padding. */
export const CONTROL =
  'rounded-lg border border-edge bg-surface text-sm text-ink placeholder:text-muted hover:border-muted aria-invalid:border-danger'
