/** The classes of a list of tabs, and of each tab. */
export const TAB_LIST = 'flex gap-1 overflow-x-auto border-b border-line'
export const TAB =
  '-mb-px border-b-2 border-transparent px-3 py-2.5 text-sm whitespace-nowrap text-muted transition-colors hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink'
