interface SelectProps<T extends string> {
  label: string
  /** Hides the label from those who see the page: the options say enough. */
  isLabelHidden?: boolean
  /** Values with their names. */
  options: readonly (readonly [T, string])[]
  value: T
  onChange: (value: T) => void
}

/** A choice of one of a few values. */
export function Select<T extends string>({ label, isLabelHidden, options, value, onChange }: SelectProps<T>) {
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
        className="h-9 rounded-lg border border-line bg-surface px-2 text-sm text-ink shadow-xs"
      >
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
