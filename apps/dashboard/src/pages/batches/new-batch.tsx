import Plus from 'virtual:icons/plus'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { outdateJobLists } from '../../api/job-lists.ts'
import { useIdempotencyKey } from '../../api/repeatable.ts'
import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { CONTROL } from '../../ui/control.ts'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import {
  DEFAULT_OPTIONS,
  isWriting,
  LanguageChoice,
  OutputChoice,
  type RequestedOutput,
  toVideoOptions,
} from '../requested-output.tsx'

const PLACEHOLDER = 'https://www.youtube.com/watch?v=…\nhttps://youtu.be/…'

export function NewBatch() {
  return (
    <Dialog
      title="New batch"
      description="One URL per line, up to 100."
      trigger={
        <Button variant="primary">
          <Plus className="size-4" aria-hidden="true" />
          New batch
        </Button>
      }
    >
      <BatchForm />
    </Dialog>
  )
}

function BatchForm() {
  const id = useId()
  const [text, setText] = useState('')
  const [options, setOptions] = useState<RequestedOutput>(DEFAULT_OPTIONS)
  const change = (changes: Partial<RequestedOutput>) => setOptions((known) => ({ ...known, ...changes }))
  const queries = useQueryClient()
  const request = useIdempotencyKey()
  const navigate = useNavigate()
  const urls = text.split(/\s+/).filter(Boolean)
  const submit = useMutation({
    mutationFn() {
      const batch = { videos: urls.map((url) => ({ url, options: toVideoOptions(options) })) }
      return subtext.batches.submit(batch, { idempotencyKey: request.keyFor(batch) })
    },
    async onSuccess({ batch_id }) {
      request.done()
      await queries.invalidateQueries({ queryKey: ['batches'], refetchType: 'none' })
      await outdateJobLists(queries)
      await navigate({ to: '/batches/$batchId', params: { batchId: batch_id } })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit.mutate()
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          Video URLs
        </label>
        <textarea
          id={id}
          rows={7}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={PLACEHOLDER}
          className={cx(CONTROL, 'p-3 font-mono !text-xs')}
        />
      </div>
      <OutputChoice options={options} onChange={change} />
      {isWriting(options) && <LanguageChoice options={options} onChange={change} />}
      <ErrorNotice error={submit.error} />
      <Button type="submit" variant="primary" busy={submit.isPending} disabled={urls.length === 0}>
        {urls.length === 0 ? 'Submit videos' : `Submit ${formatCount(urls.length, 'video')}`}
      </Button>
    </form>
  )
}
