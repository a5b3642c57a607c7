import { createHash } from 'node:crypto'

/** UTF-8 bytes. Less than the 255 that file systems take, so that programs can add something. */
const MAX_BYTES = 180

/** Formatting that changes how a name is shown, such as marks of direction; joiners within words and emoji stay. */
const HIDDEN = /(?!\u200c|\u200d|\ufe0f)[\p{DI}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu
const SPACE = /[\p{Cc}\p{Z}]/gu
/** What file systems refuse, and what has a meaning in links between notes. */
const REFUSED = /[<>:"/\\|?*#^[\]]/gu
/** A hidden file, an option of a command, or a temporary file. */
const LEADING = /^[\s.~-]+/u
/** Names of devices on Windows, whatever follows the first dot. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\s*\.)/iu

export interface NamedVideo {
  videoId: string
  title: string
  /** Whether another video of the account has an ID that differs only by case. */
  isCaseVariant: boolean
}

const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Cuts text to a number of bytes, between characters as people see them. */
function cut(text: string, maxBytes: number): string {
  let bytes = 0
  for (const { segment, index } of clusters.segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) return text.slice(0, index)
  }
  return text
}

/**
 * Returns the name of the file of a video, which every operating system takes: the title and, because titles are not unique, the
 * ID. It depends on nothing else, so that a video has the same name in every export.
 */
export function nameFile({ videoId, title, isCaseVariant }: NamedVideo, extension: string): string {
  const mark = isCaseVariant ? `~${createHash('sha256').update(videoId).digest('hex').slice(0, 6)}` : ''
  const id = videoId.replace(/[^\w-]/g, '_')
  const end = ` (${id}${mark}).${extension}`
  const clean = title
    .toWellFormed()
    .normalize('NFC')
    .replace(SPACE, ' ')
    .replace(HIDDEN, '')
    .replace(REFUSED, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(LEADING, '')
    .replace(RESERVED, (name) => `_${name}`)
  const start = cut(clean, MAX_BYTES - Buffer.byteLength(end)).trimEnd()
  return `${start === '' ? 'Video' : start}${end}`
}
