import { DOCUMENTS } from './downloads.ts'
import { FileMenu } from './file-menu.tsx'

/** Every format in which a batch or the library is exported: as an archive, or as one file of lines. */
export function ExportMenu({ path, label = 'Export' }: { path: string; label?: string }) {
  const items = DOCUMENTS.map(({ format, name, suffix }) => ({
    name,
    suffix: format === 'chunks' ? suffix : '.zip',
    save: `/api/v1${path}?format=${format}`,
  }))
  return <FileMenu label={label} items={items} />
}
