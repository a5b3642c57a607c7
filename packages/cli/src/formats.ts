import type { DocumentFormat, InfographicOptions, Subtext } from '@subtext/sdk'

/** Formats by their names on the command line, which are also the extensions of files. */
const DOCUMENTS: Record<string, DocumentFormat> = {
  md: 'markdown',
  txt: 'text',
  html: 'html',
  csv: 'csv',
  srt: 'srt',
  vtt: 'vtt',
}

/** Formats of the infographic, with which a video is submitted only if one of them is asked for. */
const PICTURES: Record<string, NonNullable<InfographicOptions['format']>> = { png: 'png', svg: 'svg' }

export const SUMMARY_FORMATS = [...Object.keys(DOCUMENTS), 'pdf', ...Object.keys(PICTURES), 'json']
export const TRANSCRIPT_FORMATS = ['txt', 'srt', 'vtt', 'csv', 'json']

/** The content of a file. */
export type Content = string | Uint8Array

export const isPicture = (format: string): boolean => Object.hasOwn(PICTURES, format)
/** Whether a format is binary, so that it cannot be shown on a terminal. */
export const isBinary = (format: string): boolean => format === 'pdf' || isPicture(format)

/** Fetches the result of a job as a document. */
export async function fetchSummary(
  subtext: Subtext,
  jobId: string,
  format: string,
  signal: AbortSignal,
): Promise<Content> {
  if (isPicture(format)) {
    const picture = await subtext.videos.infographic(jobId, { format: PICTURES[format], signal })
    return new Uint8Array(await picture.arrayBuffer())
  }
  if (format === 'pdf') return new Uint8Array(await (await subtext.videos.exportPdf(jobId, { signal })).arrayBuffer())
  const documentFormat = DOCUMENTS[format]
  if (documentFormat === undefined) {
    return toJson(await subtext.videos.result(jobId, { format: 'json', signal }))
  }
  return (await subtext.videos.document(jobId, documentFormat, { signal })).text()
}

/** Fetches the transcript of a job alone. */
export async function fetchTranscript(subtext: Subtext, jobId: string, format: string, signal: AbortSignal) {
  if (format === 'txt') return `${(await subtext.videos.result(jobId, { signal })).transcript.text}\n`
  if (format !== 'json') return fetchSummary(subtext, jobId, format, signal)
  const { job_id, video_info, transcript } = await subtext.videos.result(jobId, { format: 'json', signal })
  return toJson({ job_id, video_info, transcript })
}

/** One line, so that several results are lines of JSON (https://jsonlines.org). */
const toJson = (value: unknown): string => `${JSON.stringify(value)}\n`
