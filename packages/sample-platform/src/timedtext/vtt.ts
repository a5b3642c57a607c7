import type { SampleCue } from '../sample-video.ts'
import { joinWords, type SpokenLine } from './speech.ts'

export function buildManualVtt(cues: readonly SampleCue[], language: string): string {
  const blocks = cues.map(
    (cue) =>
      `${formatSpan(cue.startMs, cue.startMs + cue.durationMs)}\n${escapeVtt(cue.text).replace(/\n{2,}/g, '\n')}`,
  )
  return [header(language), ...blocks, ''].join('\n\n')
}

/**
 * Builds two rolling rows: every line appears word by word below the previous one, then alone for 10 ms, and then as the
 * upper row of the next. Reading all rows yields each line three times.
 */
export function buildAutoVtt(lines: readonly SpokenLine[], language: string): string {
  const blocks: string[] = []
  lines.forEach((line, index) => {
    const next = lines[index + 1]
    const until = next === undefined ? line.startMs + line.durationMs : next.startMs - 10
    const above = index === 0 ? ' ' : escapeVtt(joinWords(lines[index - 1] ?? line))
    blocks.push(`${formatSpan(line.startMs, until)} align:start position:0%\n${above}\n${tagWords(line)}`)
    if (next !== undefined) {
      blocks.push(`${formatSpan(until, next.startMs)} align:start position:0%\n${escapeVtt(joinWords(line))}\n `)
    }
  })
  return [header(language), ...blocks, ''].join('\n\n')
}

function header(language: string): string {
  return `WEBVTT\nKind: captions\nLanguage: ${language}`
}

function tagWords(line: SpokenLine): string {
  return line.words
    .map((word, position) =>
      position === 0
        ? escapeVtt(word.text)
        : `<${formatTime(word.startMs)}><c>${line.separator}${escapeVtt(word.text)}</c>`,
    )
    .join('')
}

function formatSpan(fromMs: number, toMs: number): string {
  return `${formatTime(fromMs)} --> ${formatTime(toMs)}`
}

function formatTime(ms: number): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, '0')
  const seconds = Math.floor(ms / 1000)
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${pad(ms % 1000, 3)}`
}

function escapeVtt(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
