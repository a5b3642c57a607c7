import X from 'virtual:icons/x'
import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactElement, ReactNode } from 'react'

interface DialogProps {
  title: string
  description?: string
  /** The button that opens it. Without one, `open` decides. */
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

/** A modal dialog. The focus stays in it, Escape closes it, and the focus then returns to where it was. */
export function Dialog({ title, description, trigger, open, onOpenChange, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/50" />
        <Base.Popup className="fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[90dvh] max-w-lg -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-2xl border border-line bg-surface p-5 shadow-2xl data-nested-dialog-open:invisible">
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-lg font-semibold tracking-tight">{title}</Base.Title>
            <Base.Close
              aria-label="Close"
              className="-m-1 grid size-8 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </Base.Close>
          </div>
          {description && <Base.Description className="-mt-2 text-sm text-muted">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
