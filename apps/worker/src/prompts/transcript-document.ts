import type { SummarySource } from '../pipeline/ports.ts'
import { escapeLine } from './escape-line.ts'

/** Descriptions open with the subject; what comes later is links and advertising. Code points. */
const MAX_DESCRIPTION = 1_000

function buildTranscript({ video, cues }: SummarySource): string[] {
  const chapters = video.chapters.toSorted((a, b) => a.start - b.start)
  const lines: string[] = []
  let next = 0
  for (const [index, cue] of cues.entries()) {
    while (next < chapters.length && (chapters[next]?.start ?? 0) * 1_000 <= cue.startMs) {
      const title = escapeLine(chapters[next]?.title ?? '')
      if (title !== '') lines.push(`<chapter>${title}</chapter>`)
      next++
    }
    const text = escapeLine(cue.text)
    if (text !== '') lines.push(`[${index + 1}] ${text}`)
  }
  return lines
}

function shorten(text: string): string {
  const characters = [...text]
  return characters.length > MAX_DESCRIPTION ? `${characters.slice(0, MAX_DESCRIPTION).join('')}…` : text
}

/**
 * The transcript as the model sees it: a `[12] text` line for each cue, numbered from 1 as in results, with the
 * publisher's title, description and chapters. The same source gives the same bytes, as the provider's cache needs.
 */
export function buildTranscriptDocument(source: SummarySource): string {
  const { video, track } = source
  return [
    '<video>',
    `<title>${escapeLine(video.title)}</title>`,
    `<channel>${escapeLine(video.channel.name)}</channel>`,
    `<description>${shorten(escapeLine(video.description))}</description>`,
    `<language>${escapeLine(track.language)}</language>`,
    '</video>',
    '<transcript>',
    ...buildTranscript(source),
    '</transcript>',
  ].join('\n')
}
