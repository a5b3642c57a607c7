import { DOCUMENT_FORMATS } from '@subtext/sdk/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../api/account.ts'

interface DownloadFormat {
  name: string
  /** Of the file's name. */
  suffix: string
  hrefOf: (jobId: string) => string
}

const ALL = Object.entries(DOCUMENT_FORMATS).map(([format, { name, extension, isTranscript }]) => ({
  format,
  name,
  suffix: `.${extension}`,
  isTranscript,
}))
const OF_TRANSCRIPT = ALL.filter(({ isTranscript }) => isTranscript)
const OF_RESULT = ALL.filter(({ isTranscript }) => !isTranscript)

/** Documents in the order of menus: those of the whole result before those of the transcript. */
export const DOCUMENTS = [...OF_RESULT, ...OF_TRANSCRIPT]

const FORMATS: DownloadFormat[] = [
  ...OF_RESULT,
  { format: 'json', name: 'JSON', suffix: '.json' },
  ...OF_TRANSCRIPT,
].map(({ format, name, suffix }) => ({
  name,
  suffix,
  hrefOf: (jobId) => `/api/v1/videos/result/${jobId}?format=${format}&download=1`,
}))

const PDF: DownloadFormat = { name: 'PDF', suffix: '.pdf', hrefOf: (jobId) => `/api/v1/videos/export/${jobId}/pdf` }

/** Returns the formats in which the account can save results. */
export function useDownloads(): DownloadFormat[] {
  const { data: account } = useQuery(accountQuery)
  return account?.features.includes('pdf_export') ? [PDF, ...FORMATS] : FORMATS
}
