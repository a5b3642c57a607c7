import { quote } from './quote.ts'
import type { ResultPart } from './result-text.ts'
import { MAX_TEXT_BYTES, MAX_TEXT_CHARS, pageOf, type TextPage } from './text-page.ts'

/** Characters, all of one byte, for what surrounds a text: the marks of a quotation, and where it continues. */
const FRAME_CHARS = 320

export interface PageOptions {
  jobId: string
  /** The part of the result that the text is, as `get_video_result` returns it. */
  part: ResultPart
  cursor?: string
  maxChars?: number
}

/** Returns a page of a text about a video, and its quotation, which says where the text continues. */
export function quotePage(
  text: string,
  { jobId, part, cursor, maxChars = MAX_TEXT_CHARS }: PageOptions,
): { page: TextPage; quoted: string } {
  const page = pageOf(text, cursor, {
    maxChars: maxChars - FRAME_CHARS,
    maxBytes: MAX_TEXT_BYTES - FRAME_CHARS,
  })
  const next = `call get_video_result with job_id "${jobId}", include "${part}" and cursor "${page.next_cursor}"`
  return { page, quoted: `${quote(page.text)}${page.next_cursor ? `\n\n[There is more: ${next}.]` : ''}` }
}
