import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { subtext } from '../../api/client.ts'
import { outdateJobLists } from '../../api/job-lists.ts'
import { useIdempotencyKey } from '../../api/repeatable.ts'
import { sourceVideosKey } from '../../api/sources.ts'
import { formatCount } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
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

/** A batch has no more videos. */
export const MAX_SELECTED = 100

interface ProcessSelectedProps {
  sourceId: string
  videoIds: string[]
}

/** A button that asks what to make of the chosen videos. */
export function ProcessSelected({ sourceId, videoIds }: ProcessSelectedProps) {
  const isPossible = videoIds.length > 0 && videoIds.length <= MAX_SELECTED
  return (
    <Dialog
      title={`Process ${formatCount(videoIds.length, 'video')}`}
      description="They become one batch."
      trigger={
        <Button variant="primary" disabled={!isPossible}>
          Process
        </Button>
      }
    >
      <ProcessForm sourceId={sourceId} videoIds={videoIds} />
    </Dialog>
  )
}

interface ProcessEpisodeProps {
  sourceId: string
  videoId: string
  title: string
}

/** The title of an episode, which asks what to make of it alone. */
export const ProcessEpisode = ({ sourceId, videoId, title }: ProcessEpisodeProps) => (
  <Dialog
    title={title}
    description="The transcript that its feed names is processed."
    trigger={
      <button type="button" className="text-left font-medium wrap-anywhere hover:underline">
        {title}
      </button>
    }
  >
    <ProcessForm sourceId={sourceId} videoIds={[videoId]} isAlone />
  </Dialog>
)

function ProcessForm({ sourceId, videoIds, isAlone = false }: ProcessSelectedProps & { isAlone?: boolean }) {
  const [output, setOutput] = useState<RequestedOutput>(DEFAULT_OPTIONS)
  const change = (changes: Partial<RequestedOutput>) => setOutput((known) => ({ ...known, ...changes }))
  const queries = useQueryClient()
  const navigate = useNavigate()
  const request = useIdempotencyKey()
  const submit = useMutation({
    async mutationFn() {
      const options = toVideoOptions(output)
      const [only = ''] = videoIds
      if (isAlone) {
        const video = { source: { source_id: sourceId, video_id: only }, options }
        const { job_id } = await subtext.videos.submit(video, { idempotencyKey: request.keyFor(video) })
        return () => navigate({ to: '/jobs/$jobId', params: { jobId: job_id } })
      }
      const batch = { source: { source_id: sourceId, select: { video_ids: videoIds } }, options }
      const { batch_id } = await subtext.batches.submit(batch, { idempotencyKey: request.keyFor(batch) })
      return () => navigate({ to: '/batches/$batchId', params: { batchId: batch_id } })
    },
    async onSuccess(open) {
      request.done()
      await queries.invalidateQueries({ queryKey: ['batches'], refetchType: 'none' })
      await queries.invalidateQueries({ queryKey: sourceVideosKey(sourceId), refetchType: 'none' })
      await outdateJobLists(queries)
      await open()
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit.mutate()
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <OutputChoice options={output} onChange={change} />
      {isWriting(output) && <LanguageChoice options={output} onChange={change} />}
      <ErrorNotice error={submit.error} />
      <Button type="submit" variant="primary" busy={submit.isPending}>
        {isAlone ? 'Process' : `Process ${formatCount(videoIds.length, 'video')}`}
      </Button>
    </form>
  )
}
