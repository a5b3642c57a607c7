import type { Subscription } from '@subtext/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { subtext } from '../../api/client.ts'
import { checkNow, forgetSubscription, rememberSubscription } from '../../api/subscriptions.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useSubscriptionsIncluded } from './in-plan.tsx'
import { EditForm } from './subscription-form.tsx'

interface RunActionsProps {
  subscription: Subscription
  /** ID of the element that names the subscription, for users of screen readers. */
  describedBy?: string
}

/** Buttons that look at the source now, and that pause or resume the subscription. */
export function RunActions({ subscription, describedBy }: RunActionsProps) {
  const { subscription_id: id, status } = subscription
  const isIncluded = useSubscriptionsIncluded()
  const queries = useQueryClient()
  const onSuccess = (changed: Subscription) => rememberSubscription(queries, changed)
  const check = useMutation({ mutationFn: () => checkNow(id), onSuccess })
  const pause = useMutation({ mutationFn: () => subtext.subscriptions.pause(id), onSuccess })
  const resume = useMutation({ mutationFn: () => subtext.subscriptions.resume(id), onSuccess })
  const isActive = status === 'active'
  return (
    <>
      <ErrorNotice error={check.error ?? pause.error ?? resume.error} />
      {isActive && (
        <Button busy={check.isPending} aria-describedby={describedBy} onClick={() => check.mutate()}>
          {check.isPending ? 'Checking' : 'Check now'}
        </Button>
      )}
      {isActive && (
        <Button busy={pause.isPending} aria-describedby={describedBy} onClick={() => pause.mutate()}>
          Pause
        </Button>
      )}
      {!isActive && isIncluded && (
        <Button
          variant="primary"
          busy={resume.isPending}
          aria-describedby={describedBy}
          onClick={() => resume.mutate()}
        >
          Resume
        </Button>
      )}
    </>
  )
}

/** Everything that can be done with a subscription. */
export function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const isIncluded = useSubscriptionsIncluded()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <RunActions subscription={subscription} />
      {isIncluded && <EditButton subscription={subscription} />}
      <DeleteButton subscription={subscription} />
    </div>
  )
}

function EditButton({ subscription }: { subscription: Subscription }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog
      title="Edit the subscription"
      description="Applies to videos that have not been decided yet."
      trigger={<Button>Edit</Button>}
      open={isOpen}
      onOpenChange={setOpen}
    >
      <EditForm subscription={subscription} onSaved={() => setOpen(false)} />
    </Dialog>
  )
}

function DeleteButton({ subscription: { subscription_id: id } }: { subscription: Subscription }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const end = useMutation({
    mutationFn: () => subtext.subscriptions.delete(id),
    async onSuccess() {
      await navigate({ to: '/subscriptions' })
      await forgetSubscription(queries, id)
    },
  })
  return (
    <>
      <ErrorNotice error={end.error} />
      <ConfirmButton
        label="Delete"
        title="Delete this subscription?"
        description="Its list of videos and its feeds are deleted with it. Your jobs stay."
        busy={end.isPending}
        onConfirm={() => end.mutate()}
      />
    </>
  )
}
