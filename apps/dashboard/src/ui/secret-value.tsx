import { useId, useRef } from 'react'
import { Button } from './button.tsx'
import { CONTROL } from './control.ts'
import { cx } from './cx.ts'
import { useCopy } from './use-copy.ts'

/** A value to be used elsewhere, with a button to copy it. */
export function SecretValue({ label, value }: { label: string; value: string }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { outcome, copy } = useCopy()
  const onCopy = async () => {
    if (!(await copy(value))) field.current?.select()
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          ref={field}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          className={cx(CONTROL, 'h-10 min-w-0 grow bg-sunken px-3 font-mono !text-xs')}
        />
        <Button variant="primary" onClick={() => void onCopy()} className="!h-10">
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <span className="text-xs text-muted" aria-live="polite">
        {outcome === 'copied' && <span className="sr-only">Copied to the clipboard</span>}
        {outcome === 'refused' &&
          'Your browser does not let this page copy. The value is selected: copy it with the keyboard.'}
      </span>
    </div>
  )
}
