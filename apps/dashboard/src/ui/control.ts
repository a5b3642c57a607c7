/** The style that all fields share: a visible edge and the text size. Each field adds its height and padding. */
export const CONTROL =
  'rounded-lg border border-edge bg-surface text-sm text-ink placeholder:text-muted hover:border-muted aria-invalid:border-danger'

/** The look of what can be chosen in a menu. */
export const MENU_ITEM =
  'flex justify-between gap-6 rounded-md px-3 py-2 text-sm outline-none data-highlighted:bg-sunken'
