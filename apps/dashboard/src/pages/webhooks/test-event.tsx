import Send from 'virtual:icons/send'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Sends a signed event to a URL, to try a receiver before anything depends on it. */
export function TestEvent() {
  const [url, setUrl] = useState('')
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: () => subtext.webhooks.test(url),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <Dialog
      title="Send a test event"
      description="A signed webhook.test event, delivered like any other. It appears in the list below."
      trigger={
        <Button>
          <Send className="size-4" aria-hidden="true" />
          Send test event
        </Button>
      }
    >
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <Field
          label="Receiver URL"
          type="url"
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder="https://example.org/hooks/subtext"
        />
        <ErrorNotice error={send.error} />
        {send.isSuccess && <Notice tone="success">Sent. The list shows how your server responds.</Notice>}
        <Button type="submit" variant="primary" busy={send.isPending}>
          Send
        </Button>
      </form>
    </Dialog>
  )
}
