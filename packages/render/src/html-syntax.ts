import { foldText } from './fold-text.ts'
import { type Heading, type Moment, mergeClaims, type Syntax } from './syntax.ts'
import { buildWatchUrl, formatClock } from './video-times.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes the characters with a meaning in elements and quoted attributes. */
export const escapeMarkup = (line: string): string => line.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

/** Escapes text from outside as one line, for use in an element or a quoted attribute. */
export const escapeHtml = (text: string): string => escapeMarkup(foldText(text))

/** Returns a link to a moment of the video, with its time as text. */
export const writeMoment = (place: string, atMs: number): string =>
  `<a class="t" href="${escapeHtml(buildWatchUrl(place, atMs))}">${formatClock(atMs)}</a>`

/** Returns the ID of a cited segment in the transcript of the page. */
export const segmentAnchor = (segmentId: number): string => `s${segmentId}`

const PLAY = '\u25b8'

/** Returns an item for each heading with an ID; those of level 3 are nested below the one before them. */
function writeContents(headings: Heading[]): string {
  let html = ''
  let depth = 2
  for (const { level, text, id } of headings) {
    if (id === undefined) continue
    if (level > depth) html += '\n<ul>\n'
    else if (html !== '') html += level < depth ? '</li>\n</ul>\n</li>\n' : '</li>\n'
    html += `<li><a href="#${id}">${escapeHtml(text)}</a>`
    depth = level
  }
  return `<ul>\n${html}${depth > 2 ? '</li>\n</ul>\n' : ''}</li>\n</ul>`
}

/** `video`: names the links to moments of the video for screen readers. */
export function createHtmlSyntax({ video }: { video: string }): Syntax {
  /** The time leads to the line of the transcript, and the mark after it to the moment of the video. */
  const cite = ({ place, startMs, segmentId }: Moment): string => {
    if (segmentId === undefined) return writeMoment(place, startMs)
    const clock = formatClock(startMs)
    const url = escapeHtml(buildWatchUrl(place, startMs))
    const label = `${escapeHtml(video)} ${clock}`
    return `<span class="c"><a href="#${segmentAnchor(segmentId)}">${clock}</a><a href="${url}" aria-label="${label}">${PLAY}</a></span>`
  }
  const citeAll = (text: string, moments: Moment[]): string => [escapeHtml(text), ...moments.map(cite)].join(' ')
  return {
    heading: ({ level, text, id }) =>
      `<h${level}${id === undefined ? '' : ` id="${id}"`}>${escapeHtml(text)}</h${level}>`,
    paragraph: (text) => (foldText(text) === '' ? '' : `<p>${escapeHtml(text)}</p>`),
    claims: (claims) => {
      const parts = mergeClaims(claims).map(({ text, moments }) => citeAll(text, moments))
      return parts.length === 0 ? '' : `<p>${parts.join(' ')}</p>`
    },
    note: (text) => `<p class="by">${escapeHtml(text)}</p>`,
    list: (items, numbered = false) => {
      if (items.length === 0) return ''
      const tag = numbered ? 'ol' : 'ul'
      return `<${tag}>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</${tag}>`
    },
    item: escapeHtml,
    figure: (text) => `<bdi dir="ltr">${escapeHtml(text)}</bdi>`,
    claim: ({ text, moments }) => citeAll(text, moments),
    moment: (moment, text) => `${cite(moment)} ${escapeHtml(text)}`,
    address: (url) => `<a href="${escapeHtml(url)}" dir="ltr">${escapeHtml(url)}</a>`,
    contents: (headings) => `<nav>\n${writeContents(headings)}\n</nav>`,
    join: (blocks) => blocks.filter((block) => block !== '').join('\n'),
  }
}
