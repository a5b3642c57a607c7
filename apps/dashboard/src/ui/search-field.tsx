import Search from 'virtual:icons/search'
import { CONTROL } from './control.ts'
import { cx } from './cx.ts'

interface SearchFieldProps {
  id?: string
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  maxLength?: number
  className?: string
}

/** A search field for a list. */
export function SearchField({ id, label, placeholder, value, onChange, maxLength, className }: SearchFieldProps) {
  return (
    <label className={cx('relative', className)}>
      <span className="sr-only">{label}</span>
      <Search className="pointer-events-none absolute inset-y-0 start-3 my-auto size-4 text-muted" aria-hidden="true" />
      <input
        id={id}
        type="search"
        maxLength={maxLength}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(CONTROL, 'h-9 w-full ps-9 pe-3')}
      />
    </label>
  )
}
