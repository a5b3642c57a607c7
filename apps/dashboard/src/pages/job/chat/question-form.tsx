import ArrowUp from 'virtual:icons/arrow-up'
import { type FormEvent, type KeyboardEvent, useId } from 'react'
import { Button } from '../../../ui/button.tsx'

const MAX_QUESTION = 2_000

interface QuestionFormProps {
  text: string
  onChange: (text: string) => void
  onAsk: (message: string) => void
  /** An answer is being written, or the conversation is loading. */
  busy: boolean
  placeholder: string
  /** The conversation could not be loaded. */
  disabled: boolean
}

/** A field for a question. Enter sends it; Shift and Enter begin a new line. */
export function QuestionForm({ text, onChange, onAsk, busy, placeholder, disabled }: QuestionFormProps) {
  const id = useId()
  const canAsk = !busy && !disabled && text.trim() !== ''
  const ask = () => {
    if (!canAsk) return
    onAsk(text.trim())
    onChange('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms the characters of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    ask()
  }
  return (
    <form
      onSubmit={submit}
      className="flex items-end gap-2 rounded-xl border border-line bg-canvas p-1.5 focus-within:border-accent"
    >
      <label htmlFor={id} className="sr-only">
        Ask a question
      </label>
      <textarea
        id={id}
        rows={1}
        maxLength={MAX_QUESTION}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={placeholder}
        className="field-sizing-content max-h-40 min-h-9 min-w-0 grow resize-none bg-transparent px-2.5 py-1.5 text-sm leading-relaxed outline-none placeholder:text-muted"
      />
      <Button type="submit" variant="primary" disabled={!canAsk} busy={busy} className="shrink-0">
        <ArrowUp className="size-4" aria-hidden="true" />
        Ask
      </Button>
    </form>
  )
}
