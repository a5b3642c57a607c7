import { useId, useState } from 'react'
import { Button } from './button.tsx'

/** A value that is shown once, with a button to copy it. */
export function SecretValue({ label, value }: { label: string; value: string }) {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          className="h-10 min-w-0 grow rounded-lg border border-line bg-sunken px-3 font-mono text-xs"
        />
        <Button variant="primary" onClick={() => void copy()} className="!h-10">
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <span className="sr-only" aria-live="polite">
        {isCopied && 'Copied to the clipboard'}
      </span>
    </div>
  )
}
