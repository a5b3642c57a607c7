import Check from 'virtual:icons/check'

interface ChipProps {
  name: string
  isChosen: boolean
  onToggle: () => void
}

/** One of several things of which any number can be chosen. */
export function Chip({ name, isChosen, onToggle }: ChipProps) {
  return (
    <label className="inline-flex max-w-full cursor-pointer items-center gap-1.5 rounded-[1.25rem] border border-edge px-3 py-1 text-sm text-muted transition select-none hover:border-accent has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <input type="checkbox" checked={isChosen} onChange={onToggle} className="sr-only" />
      {isChosen && <Check className="size-3.5 shrink-0" aria-hidden="true" />}
      <span className="min-w-0 wrap-anywhere">{name}</span>
    </label>
  )
}
