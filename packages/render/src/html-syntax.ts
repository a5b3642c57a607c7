import { foldText } from './fold-text.ts'
import type { Syntax } from './syntax.ts'
import { buildWatchUrl, formatClock } from './video-times.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text from outside as one line, for use in an element or a quoted attribute. */
export const escapeHtml = (text: string): string => foldText(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

/** Returns a link to a moment of the video, with its time as text. */
export const writeMoment = (videoId: string, atMs: number): string =>
  `<a class="t" href="${escapeHtml(buildWatchUrl(videoId, atMs))}">${formatClock(atMs)}</a>`

export const htmlSyntax: Syntax = {
  heading: (level, text) => `<h${level}>${escapeHtml(text)}</h${level}>`,
  paragraph: (text) => (foldText(text) === '' ? '' : `<p>${escapeHtml(text)}</p>`),
  list: (items, numbered = false) => {
    if (items.length === 0) return ''
    const tag = numbered ? 'ol' : 'ul'
    return `<${tag}>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</${tag}>`
  },
  item: escapeHtml,
  moment: (videoId, atMs, text) => `${writeMoment(videoId, atMs)} ${escapeHtml(text)}`,
  address: (url) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`,
  join: (blocks) => blocks.filter((block) => block !== '').join('\n'),
}
