import type { Cue } from '@subtext/contracts'
import { appendRaw, createCueList, MAX_RAW_LENGTH } from './cue-list.ts'
import { cueMilliseconds } from './cue-time.ts'
import { decodeEntities } from './entities.ts'
import { createPauseFinder } from './pause-finder.ts'
import { numberAttribute, scanMarkup } from './scan-markup.ts'

const startOf = numberAttribute('t')
const durationOf = numberAttribute('d')
const penOf = numberAttribute('p')
const idOf = numberAttribute('id')
const rubyOf = numberAttribute('rb')

/** Value of `rb` for the base text. Other values are the readings printed above it and their brackets. */
const RUBY_BASE = 1
/** White space that only indents the words of a formatted document. */
const isLayout = (text: string): boolean => text.includes('\n') && text.trim() === ''
/** No document has more styles. */
const MAX_READINGS = 1_000

interface OpenCue {
  startMs: number | null
  durationMs: number
  text: string
  hasWords: boolean
  /** Of the word that is being read, from the start of the cue. */
  offsetMs: number | null
}

/**
 * Parses a document in the platform's `srv3` format (`<p t d>` with text, `<s t>` words and `<br/>`; times in
 * milliseconds). Works like `parseJson3`: texts are returned as written, cues without text or time are skipped, and a
 * missing duration is 0. Readings above ruby text are skipped.
 */
export const parseSrv3 = (document: string): Cue[] => {
  const { cues, add } = createCueList()
  const readings = new Set<number>()
  let cue: OpenCue | null = null
  let isReading = false
  const finder = createPauseFinder()
  const close = (): void => {
    if (cue) add(cue.startMs, cue.durationMs, cue.text, finder.end())
    cue = null
    isReading = false
  }
  scanMarkup(document, {
    open(name, attributes) {
      if (name === 'p') {
        close()
        const [start, duration] = [startOf(attributes), durationOf(attributes)]
        cue = {
          startMs: start === null ? null : cueMilliseconds(start),
          durationMs: duration === null ? 0 : (cueMilliseconds(duration) ?? 0),
          text: '',
          hasWords: false,
          offsetMs: null,
        }
        finder.begin(cue.startMs ?? 0)
      } else if (name === 's' && cue) {
        cue.hasWords = true
        cue.offsetMs = startOf(attributes)
        isReading = readings.size > 0 && readings.has(penOf(attributes) ?? -1)
      } else if (name === 'br' && cue) {
        cue.text = appendRaw(cue.text, '\n')
      } else if (name === 'pen') {
        const ruby = rubyOf(attributes)
        if (ruby !== null && ruby > RUBY_BASE && readings.size < MAX_READINGS) readings.add(idOf(attributes) ?? -1)
      }
    },
    close(name) {
      if (name === 'p') close()
      else if (name === 's') isReading = false
    },
    text(raw) {
      if (!cue || isReading || (cue.hasWords && isLayout(raw))) return
      const text = decodeEntities(raw.slice(0, MAX_RAW_LENGTH))
      finder.add(text, cue.offsetMs)
      cue.text = appendRaw(cue.text, text)
    },
  })
  return cues
}
