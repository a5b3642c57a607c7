import { useEffect, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { isTyping } from '../../ui/is-typing.ts'
import { SHORTCUTS } from './use-shortcuts.ts'

/** Lists the keys of the job page when `?` is pressed. */
export function ShortcutHelp() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <Dialog title="Keyboard shortcuts" open={isOpen} onOpenChange={setOpen}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {SHORTCUTS.map(([key, effect]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-sunken px-2 py-0.5 font-mono text-xs">{key}</kbd>
            </dt>
            <dd className="text-muted">{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
