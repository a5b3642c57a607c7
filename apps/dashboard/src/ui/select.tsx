import ChevronDown from 'virtual:icons/chevron-down'
import { CONTROL } from './control.ts'
import { cx } from './cx.ts'

interface SelectProps<T extends string> {
  label: string
  /** Hides the label visually, because the options explain themselves. */
  isLabelHidden?: boolean
  /** Values with their names. */
  options: readonly (readonly [T, string])[]
  value: T
  onChange: (value: T) => void
  className?: string
}

/** A choice of one of a few values. */
export function Select<T extends string>({
  label,
  isLabelHidden,
  options,
  value,
  onChange,
  className,
}: SelectProps<T>) {
  return (
    <label className={cx('flex items-center gap-2 text-sm text-muted', className)}>
      <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
      <span className="relative">
        <select
          value={value}
          onChange={(event) => onChange(event.target.value as T)}
          className={cx(CONTROL, 'h-9 w-full appearance-none ps-3 pe-8')}
        >
          {options.map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
        <ChevronDown
          className="pointer-events-none absolute inset-y-0 end-2.5 my-auto size-4 text-muted"
          aria-hidden="true"
        />
      </span>
    </label>
  )
}
