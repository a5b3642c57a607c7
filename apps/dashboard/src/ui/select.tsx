import ChevronDown from 'virtual:icons/chevron-down'
import { useId } from 'react'
import { CONTROL } from './control.ts'
import { cx } from './cx.ts'
import { Labeled } from './field.tsx'

interface ChoiceProps<T extends string> {
  /** Values with their names. */
  options: readonly (readonly [T, string])[]
  value: T
  onChange: (value: T) => void
}

interface SelectProps<T extends string> extends ChoiceProps<T> {
  label: string
  /** Hides the label visually, because the options explain themselves. */
  isLabelHidden?: boolean
  className?: string
}

/** A choice of one of a few values, beside its label. */
export function Select<T extends string>({ label, isLabelHidden, className, ...choice }: SelectProps<T>) {
  const id = useId()
  return (
    <label htmlFor={id} className={cx('flex items-center gap-2 text-sm text-muted', className)}>
      <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
      <Choice id={id} className="h-9" {...choice} />
    </label>
  )
}

/** A choice of one of a few values, below its label as the fields of forms are. */
export function LabeledSelect<T extends string>({ label, ...choice }: ChoiceProps<T> & { label: string }) {
  const id = useId()
  return (
    <Labeled id={id} label={label}>
      <Choice id={id} className="h-10" {...choice} />
    </Labeled>
  )
}

function Choice<T extends string>({
  id,
  options,
  value,
  onChange,
  className,
}: ChoiceProps<T> & { id: string; className: string }) {
  return (
    <span className="relative">
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
        className={cx(CONTROL, 'w-full appearance-none ps-3 pe-8', className)}
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
  )
}
