import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { subtext } from '../../api/client.ts'
import { formatDateTime } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SecretValue } from '../../ui/secret-value.tsx'

const SECRET_KEY = ['webhook-secret']

/** The secret that signs deliveries. Its value is shown once, when it has been rotated. */
export function SecretCard() {
  const secret = useQuery({ queryKey: SECRET_KEY, queryFn: () => subtext.webhooks.secret() })
  return (
    <section
      aria-labelledby="secret"
      className="flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-line bg-surface p-5"
    >
      <div className="flex flex-col gap-1">
        <h2 id="secret" className="font-semibold">
          Signing secret
        </h2>
        <QueryView query={secret}>
          {({ prefix, created_at, previous }) => (
            <p className="text-sm text-muted">
              <code className="font-mono text-ink">{prefix}…</code> since {formatDateTime(created_at)}
              {previous.map(({ expires_at, prefix: old }) => (
                <span key={old} className="block">
                  <code className="font-mono">{old}…</code> remains valid until {formatDateTime(expires_at)}
                </span>
              ))}
            </p>
          )}
        </QueryView>
      </div>
      <RotateSecret />
    </section>
  )
}

function RotateSecret() {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => subtext.webhooks.rotateSecret(),
    onSuccess: () => queries.invalidateQueries({ queryKey: SECRET_KEY }),
  })
  const change = (open: boolean) => {
    setOpen(open)
    if (!open) rotate.reset()
  }
  return (
    <Dialog
      title={rotate.data ? 'Your new secret' : 'Rotate the secret?'}
      description={
        rotate.data
          ? "Copy it now. You won't see it again."
          : 'For 24 hours, webhook-signature contains a signature for each secret, so that no delivery is refused while you switch. X-Webhook-Signature uses the new secret at once.'
      }
      trigger={<Button>Rotate secret</Button>}
      open={isOpen}
      onOpenChange={change}
    >
      {rotate.data ? (
        <SecretValue label="New secret" value={rotate.data.secret} />
      ) : (
        <>
          <ErrorNotice error={rotate.error} />
          <Button variant="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            Rotate
          </Button>
        </>
      )}
    </Dialog>
  )
}
