import { useDownloads } from '../../ui/downloads.ts'
import { FileMenu } from '../../ui/file-menu.tsx'

/** Every format of a result. */
export function DownloadMenu({ jobId }: { jobId: string }) {
  const items = useDownloads().map(({ name, suffix, hrefOf }) => ({ name, suffix, save: hrefOf(jobId) }))
  return <FileMenu label="Download" items={items} />
}
