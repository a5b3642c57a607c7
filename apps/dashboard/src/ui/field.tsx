import { type InputHTMLAttributes, type Ref, useId } from 'react'
import { CONTROL } from './control.ts'
import { cx } from './cx.ts'

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>
  label: string
  hint?: string
  error?: string
}

/** A text field with its label, and a hint or what is wrong below it. */
export function Field({ label, hint, error, className, ...rest }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={cx(CONTROL, 'h-10 px-3')}
        {...rest}
      />
      {note && (
        <p id={`${id}-note`} className={cx('text-xs', error ? 'text-danger' : 'text-muted')}>
          {note}
        </p>
      )}
    </div>
  )
}
