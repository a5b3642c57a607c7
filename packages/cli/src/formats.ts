import type { DocumentFormat, Subtext } from '@subtext/sdk'

/** Formats by their names on the command line, which are also the extensions of files. */
const DOCUMENTS: Record<string, DocumentFormat> = {
  md: 'markdown',
  txt: 'text',
  html: 'html',
  csv: 'csv',
  srt: 'srt',
  vtt: 'vtt',
}

export const SUMMARY_FORMATS = [...Object.keys(DOCUMENTS), 'json']
export const TRANSCRIPT_FORMATS = ['txt', 'srt', 'vtt', 'csv', 'json']

/** Fetches the result of a job as a document. */
export async function fetchSummary(subtext: Subtext, jobId: string, format: string, signal: AbortSignal) {
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
