import type { SampleCue } from '../sample-video.ts'
import { joinWords, type SpokenLine } from './speech.ts'

const DECLARATION = '<?xml version="1.0" encoding="utf-8" ?>'
const AUTO_HEAD =
  '<head>\n<ws id="0"/>\n<ws id="1" mh="2" ju="0" sd="3"/>\n<wp id="0"/>\n<wp id="1" ap="6" ah="20" av="100" rc="2" cc="40"/>\n</head>'

export function buildManualSrv3(cues: readonly SampleCue[]): string {
  return wrapSrv3(
    '',
    cues.map((cue) => `<p t="${cue.startMs}" d="${cue.durationMs}">${escapeXml(cue.text)}</p>`),
  )
}

export function buildAutoSrv3(lines: readonly SpokenLine[], lengthMs: number): string {
  const paragraphs = [`<w t="0" d="${lengthMs}" id="1" wp="1" ws="1"/>`]
  lines.forEach((line, index) => {
    const previous = lines[index - 1]
    if (previous !== undefined) {
      const startMs = line.startMs - 10
      const restMs = Math.max(0, previous.startMs + previous.durationMs - startMs)
      paragraphs.push(`<p t="${startMs}" d="${restMs}" w="1" a="1">\n</p>`)
    }
    const words = line.words.map((word, position) => {
      const offset = position === 0 ? '' : ` t="${word.startMs - line.startMs}"`
      return `<s${offset} ac="0">${position === 0 ? '' : line.separator}${escapeXml(word.text)}</s>`
    })
    paragraphs.push(`<p t="${line.startMs}" d="${line.durationMs}" w="1">${words.join('')}</p>`)
  })
  return wrapSrv3(`${AUTO_HEAD}\n`, paragraphs)
}

/** Builds the oldest format: times in seconds, text escaped twice. */
export function buildSrv1(cues: readonly SampleCue[]): string {
  const texts = cues.map(
    (cue) =>
      `<text start="${cue.startMs / 1000}" dur="${cue.durationMs / 1000}">${escapeXml(escapeXml(cue.text))}</text>`,
  )
  return `${DECLARATION}<transcript>${texts.join('')}</transcript>`
}

/** Turns auto-generated lines into plain cues, for the formats without word times. */
export function flattenLines(lines: readonly SpokenLine[]): SampleCue[] {
  return lines.map((line) => ({ startMs: line.startMs, durationMs: line.durationMs, text: joinWords(line) }))
}

function wrapSrv3(head: string, paragraphs: readonly string[]): string {
  return `${DECLARATION}<timedtext format="3">\n${head}<body>\n${paragraphs.join('\n')}\n</body>\n</timedtext>\n`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeXml(text: string): string {
  // XML 1.0 cannot represent most control characters.
  return text.replace(/[^\P{Cc}\t\n\r]/gu, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
