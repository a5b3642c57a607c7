import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { subtext } from '../api/client.ts'
import { describeError } from '../api/errors.ts'
import { refreshJobLists } from '../api/job-lists.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Message } from '../ui/message.tsx'

const ENDINGS = '.srt,.vtt,.sbv,.ttml,.dfxp,.xml,.ass,.ssa,.smi,.lrc,.json,.txt,.tsv'

interface Refusal {
  file: File
  error: Error
}

/** Imports files one after the other. A file that is refused does not affect the others. */
async function importAll(files: readonly File[]): Promise<{ jobIds: string[]; refusals: Refusal[] }> {
  const jobIds: string[] = []
  const refusals: Refusal[] = []
  for (const file of files) {
    try {
      jobIds.push((await subtext.videos.import({ file })).job_id)
    } catch (error) {
      refusals.push({ file, error: error as Error })
    }
  }
  return { jobIds, refusals }
}

/** Captions of one's own: files that are dropped anywhere on the page, or chosen. Opens the job of a single file. */
export function ImportFiles() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const { mutate, data, isPending } = useMutation({
    mutationFn: importAll,
    async onSuccess({ jobIds, refusals }) {
      await refreshJobLists(queries)
      const [jobId] = jobIds
      if (jobId !== undefined && jobIds.length === 1 && refusals.length === 0) {
        await navigate({ to: '/jobs/$jobId', params: { jobId } })
      }
    },
  })
  const isOver = useDroppedFiles((files) => mutate(files))
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // The same file can be chosen again once it is corrected.
    target.value = ''
    if (files.length > 0) mutate(files)
  }
  return (
    <section
      aria-label="Import captions"
      className={cx(
        'mt-4 flex flex-col gap-3 rounded-2xl border border-dashed p-4 text-sm transition-colors sm:px-5',
        isOver ? 'border-accent bg-accent-soft' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">
          {isOver
            ? 'Drop to import'
            : 'Captions of your own? Drop files here: SubRip, WebVTT, SBV, TTML, JSON of a speech service, text with times.'}
        </p>
        <input ref={field} type="file" multiple accept={ENDINGS} onChange={choose} hidden aria-label="Caption files" />
        <Button busy={isPending} onClick={() => field.current?.click()}>
          Choose files
        </Button>
      </div>
      <div aria-live="polite" className="empty:hidden">
        {data && <Outcome {...data} />}
      </div>
    </section>
  )
}

function Outcome({ jobIds, refusals }: { jobIds: string[]; refusals: Refusal[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {jobIds.length > 0 && (
        <li>{jobIds.length === 1 ? '1 file was imported.' : `${jobIds.length} files were imported.`}</li>
      )}
      {refusals.map(({ file, error }) => (
        <li key={file.name} className="text-danger">
          <span className="font-medium">{file.name}</span>: <Message text={describeError(error)} />
        </li>
      ))}
    </ul>
  )
}

/** Calls `onFiles` with files that are dropped anywhere on the page. Returns whether files are being dragged over it. */
function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Otherwise, the browser would open the file.
      event.preventDefault()
      setOver(true)
    }
    const onDragLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) latest.current(files)
    }
    document.addEventListener('dragover', onDragOver)
    document.addEventListener('dragleave', onDragLeave)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onDragOver)
      document.removeEventListener('dragleave', onDragLeave)
      document.removeEventListener('drop', onDrop)
    }
  }, [])
  return isOver
}
