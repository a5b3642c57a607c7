import { FileMenu, RESULT_DOCUMENTS, TRANSCRIPT_DOCUMENTS } from './file-menu.tsx'

/** Every format in which a batch or the library is exported: as an archive, or as one file of lines. */
export function ExportMenu({ path, label = 'Export' }: { path: string; label?: string }) {
  const links = [...RESULT_DOCUMENTS, ...TRANSCRIPT_DOCUMENTS].map(({ format, name, suffix }) => ({
    href: `/api/v1${path}?format=${format}`,
    name,
    suffix: format === 'chunks' ? suffix : '.zip',
  }))
  return <FileMenu label={label} links={links} />
}
