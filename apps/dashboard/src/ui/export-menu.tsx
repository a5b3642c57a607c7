import { DOCUMENTS } from './downloads.ts'
import { FileMenu } from './file-menu.tsx'

interface ExportMenuProps {
  path: string
  /** Selects what is exported. */
  query?: Record<string, string>
  label?: string
  align?: 'start' | 'end'
}

/** Every format in which a batch, the library or some jobs are exported: as an archive, or as one file of lines. */
export function ExportMenu({ path, query = {}, label = 'Export', align }: ExportMenuProps) {
  const items = DOCUMENTS.map(({ format, name, suffix }) => ({
    name,
    suffix: format === 'chunks' ? suffix : '.zip',
    save: `/api/v1${path}?${new URLSearchParams({ ...query, format })}`,
  }))
  return <FileMenu label={label} items={items} align={align} />
}
