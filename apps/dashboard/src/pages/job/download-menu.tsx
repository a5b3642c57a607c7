import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import { FileMenu, RESULT_DOCUMENTS, TRANSCRIPT_DOCUMENTS } from '../../ui/file-menu.tsx'

/** The formats in the order of the menu: those of the whole result before those of the transcript. */
const FORMATS = [...RESULT_DOCUMENTS, { format: 'json', name: 'JSON', suffix: '.json' }, ...TRANSCRIPT_DOCUMENTS]

/** Every format of a result. */
export function DownloadMenu({ jobId }: { jobId: string }) {
  const { data: account } = useQuery(accountQuery)
  const hasPdf = account?.features.includes('pdf_export') ?? false
  const links = FORMATS.map(({ format, name, suffix }) => ({
    href: `/api/v1/videos/result/${jobId}?format=${format}&download=1`,
    name,
    suffix,
  }))
  if (hasPdf) links.unshift({ href: `/api/v1/videos/export/${jobId}/pdf`, name: 'PDF', suffix: '.pdf' })
  return <FileMenu label="Download" links={links} />
}
