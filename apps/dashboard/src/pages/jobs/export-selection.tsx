import type { Job } from '@subtext/sdk'
import { useDownloads } from '../../ui/downloads.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { FileMenu } from '../../ui/file-menu.tsx'

/** Saves the result of a job as a document, or those of several in one file. */
export function ExportSelection({ jobs }: { jobs: [Job, ...Job[]] }) {
  const formats = useDownloads()
  const [first] = jobs
  if (jobs.length === 1) {
    const items = formats.map(({ name, suffix, hrefOf }) => ({ name, suffix, save: hrefOf(first.job_id) }))
    return <FileMenu label="Export" items={items} align="start" />
  }
  return (
    <ExportMenu path="/library/export" align="start" query={{ job_ids: jobs.map(({ job_id }) => job_id).join(',') }} />
  )
}
