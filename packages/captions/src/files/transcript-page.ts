import { scanMarkup } from '../formats/scan-markup.ts'
import { parseClock, roundMilliseconds } from './clock.ts'
import { type RawCaptions, type RawCue, refuseTooMany } from './raw-cue.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

const IGNORED = new Set(['script', 'style', 'head', 'title', 'noscript', 'svg'])
/** Elements that end a line of text. */
const BLOCKS = new Set(['p', 'div', 'li', 'br', 'section', 'article', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'tr'])
/** `0:30`, `(1:02:03)`, `[00:30.5]` */
const SHOWN_TIME = /^[\s([]*(\d{1,3}(?::\d{2}){1,2}(?:[.,]\d{1,3})?)[\s)\]]*$/

const readTime = (text: string): number | null => {
  const [, shown] = SHOWN_TIME.exec(text) ?? []
  const value = shown === undefined ? null : parseClock(shown)
  return value === null ? null : roundMilliseconds(value)
}

/** The head of a page, by which it is told from other markup. */
export const isPage = (head: string): boolean =>
  /<(?:!doctype\s+html|html|body|cite|time)[\s>]/i.test(head) && !/<(?:[\w-]{1,20}:)?tt[\s>]/.test(head)

/**
 * Reads a transcript as a web page, as podcasts publish them: `<cite>` names a speaker, `<time>` says when, and what follows was
 * said then. Throws if there is no time.
 */
export function readTranscriptPage(document: string): RawCaptions {
  const cues: RawCue[] = []
  let ignored = ''
  let inside: 'cite' | 'time' | null = null
  let text = ''
  let speaker: string | undefined
  let open: RawCue | null = null
  scanMarkup(document, {
    open(tag) {
      const name = tag.toLowerCase()
      if (IGNORED.has(name)) ignored ||= name
      else if (name === 'cite' || name === 'time') {
        inside = name
        text = ''
      } else if (BLOCKS.has(name) && open) open.text += '\n'
    },
    close(tag) {
      const name = tag.toLowerCase()
      if (name === ignored) ignored = ''
      else if (name === 'cite') speaker = text.replace(/:\s*$/, '').trim() || undefined
      else if (name === 'time') {
        const startMs = readTime(text)
        // The speaker is that of the last `<cite>`, also where one says several paragraphs.
        if (startMs !== null) {
          open = { startMs, endMs: null, text: '', speaker }
          cues.push(open)
        }
        refuseTooMany(cues.length)
      }
      if (name === inside) inside = null
    },
    text(raw) {
      if (ignored !== '') return
      if (inside) text += raw
      else if (open) open.text += raw.replace(/\s+/g, ' ')
    },
  })
  if (cues.length === 0) throw new UnreadableCaptionsError('no_times', 'The page of the transcript has no times.')
  return { cues }
}
