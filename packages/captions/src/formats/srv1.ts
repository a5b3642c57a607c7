import type { Cue } from '@subtext/contracts'
import { appendRaw, createCueList, MAX_RAW_LENGTH } from './cue-list.ts'
import { cueMilliseconds } from './cue-time.ts'
import { decodeEntities } from './entities.ts'
import { numberAttribute, scanMarkup } from './scan-markup.ts'

const startOf = numberAttribute('start')
const durationOf = numberAttribute('dur')

const milliseconds = (seconds: number | null): number | null =>
  seconds === null ? null : cueMilliseconds(seconds * 1000)

/**
 * Parses a document in the platform's oldest format, `srv1`: `<text start dur>`, times in decimal seconds. Works like
 * `parseJson3`. Texts are escaped twice; one level of escaping is kept.
 */
export const parseSrv1 = (document: string): Cue[] => {
  const { cues, add } = createCueList()
  let cue: { startMs: number | null; durationMs: number; text: string } | null = null
  const close = (): void => {
    if (cue) add(cue.startMs, cue.durationMs, cue.text)
    cue = null
  }
  scanMarkup(document, {
    open(name, attributes) {
      if (name !== 'text') return
      close()
      cue = {
        startMs: milliseconds(startOf(attributes)),
        durationMs: milliseconds(durationOf(attributes)) ?? 0,
        text: '',
      }
    },
    close(name) {
      if (name === 'text') close()
    },
    text(raw) {
      if (cue) cue.text = appendRaw(cue.text, decodeEntities(raw.slice(0, MAX_RAW_LENGTH)))
    },
  })
  return cues
}
