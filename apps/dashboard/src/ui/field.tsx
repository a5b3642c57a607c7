import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import { CONTROL } from './control.ts'
import { cx } from './cx.ts'

interface LabelProps {
  label: string
  /** Says that the field may be left empty, where that is not obvious. */
  isOptional?: boolean
}

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement>, LabelProps {
  ref?: Ref<HTMLInputElement>
  hint?: string
  error?: string
}

/** A text field with its label, and a hint or what is wrong below it. */
export function Field({ label, isOptional, hint, error, className, ...rest }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <Labeled id={id} label={label} isOptional={isOptional} className={className}>
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
    </Labeled>
  )
}

/** A field for a text of several lines, which grows with it. */
export function TextArea({
  label,
  isOptional,
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & LabelProps) {
  const id = useId()
  return (
    <Labeled id={id} label={label} isOptional={isOptional} className={className}>
      <textarea
        id={id}
        rows={1}
        className={cx(CONTROL, 'field-sizing-content max-h-48 min-h-10 resize-none px-3 py-[0.5625rem]')}
        {...rest}
      />
    </Labeled>
  )
}

interface LabeledProps extends LabelProps {
  /** The ID of the control. */
  id: string
  className?: string
  children: ReactNode
}

/** A control below its label. */
export function Labeled({ id, label, isOptional, className, children }: LabeledProps) {
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <span className="flex justify-between gap-2 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {isOptional && (
          <span className="text-muted" aria-hidden="true">
            optional
          </span>
        )}
      </span>
      {children}
    </div>
  )
}
