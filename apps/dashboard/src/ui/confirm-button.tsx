import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmButtonProps {
  label: string
  /** ID of the element that names what the button affects, for users of screen readers. */
  describedBy?: string
  title: string
  description: string
  busy?: boolean
  onConfirm: () => void
}

/** A button for something that cannot be undone: it asks first. */
export function ConfirmButton({ label, describedBy, title, description, busy, onConfirm }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const confirm = () => {
    setOpen(false)
    onConfirm()
  }
  return (
    <Dialog
      title={title}
      description={description}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button variant="danger" busy={busy} aria-describedby={describedBy}>
          {label}
        </Button>
      }
    >
      <div className="flex justify-end gap-2">
        <Button onClick={() => setOpen(false)}>Keep it</Button>
        <Button variant="dangerous" onClick={confirm}>
          {label}
        </Button>
      </div>
    </Dialog>
  )
}
