import type { Job } from '@subtext/sdk'
import { useDownloads } from '../../ui/downloads.ts'
import { FileMenu } from '../../ui/file-menu.tsx'

/** Browsers drop downloads that begin at the same moment. */
const PAUSE_MS = 400

async function saveAll(links: readonly string[]): Promise<void> {
  for (const href of links) {
    const link = document.createElement('a')
    link.href = href
    link.download = ''
    link.click()
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** Saves one document for each job, in the chosen format. */
export function ExportSelection({ jobs }: { jobs: Job[] }) {
  const items = useDownloads().map(({ name, suffix, hrefOf }) => ({
    name,
    suffix,
    save: () => void saveAll(jobs.map(({ job_id }) => hrefOf(job_id))),
  }))
  return <FileMenu label="Export" items={items} align="start" />
}
