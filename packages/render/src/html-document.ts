import { createHash } from 'node:crypto'
import { walkChapters } from './chapters.ts'
import { createHtmlSyntax, escapeHtml, escapeMarkup, segmentAnchor, writeMoment } from './html-syntax.ts'
import { inPieces } from './in-pieces.ts'
import { parseLanguage } from './language.ts'
import { labelsOf, languageOf, layOutOpening, titleOf } from './outline.ts'
import type { Paragraph } from './paragraphs.ts'
import type { RenderableResult } from './renderable-result.ts'
import { writeTranscript } from './transcript.ts'
import { placeOf } from './video-times.ts'

// With `plaintext`, every block has the direction of its own text, such as an English title above an Arabic transcript.
export const HTML_STYLE = `
:root { color-scheme: light dark; --ink: #1f1d1a; --paper: #fdfcfa; --quiet: #68635b; --link: #0a58a6; --line: #e2ddd4; --mark: #fbe9a6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e3dc; --paper: #181715; --quiet: #a59f95; --link: #8fbcf2; --line: #38352f; --mark: #5a4a12; }
}
html { background: var(--paper); color: var(--ink); font: 1.0625rem/1.7 Georgia, 'Noto Serif', serif; }
body { margin: 0; }
main { max-width: 42rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; overflow-wrap: anywhere; }
h1, h2, h3, h4, p, li { unicode-bidi: plaintext; }
h1, h2, h3, h4 { font-family: system-ui, sans-serif; line-height: 1.25; margin: 2em 0 .6em; text-wrap: balance; }
h1 { font-size: 1.9rem; margin-top: 0; }
h2 { font-size: 1.35rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
h4 { font-size: 1rem; }
p, ul, ol { margin: 0 0 1em; }
ul, ol { padding-inline-start: 1.4em; }
li { margin-bottom: .3em; }
h1 + ul { list-style: none; padding: 0; color: var(--quiet); font: .9rem/1.6 system-ui, sans-serif; }
h1 + ul li { margin: 0; }
a { color: var(--link); text-underline-offset: .15em; }
nav { font: .95rem/1.7 system-ui, sans-serif; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-inline-start: 1.2em; }
nav li { margin: 0; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
.by { color: var(--quiet); font: .9rem/1.6 system-ui, sans-serif; }
.t, .c { font: .82em system-ui, sans-serif; font-variant-numeric: tabular-nums; white-space: nowrap; }
.t, .c a { text-decoration: none; }
.c a + a { padding-inline: .3em; }
.t:hover, .t:focus, .c a:hover, .c a:focus { text-decoration: underline; }
:target { background: var(--mark); scroll-margin-top: 3rem; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --quiet: #444; --link: #000; --line: #bbb; --mark: none; }
  html { font-size: 10.5pt; line-height: 1.5; }
  main { max-width: none; padding: 0; }
  h1, h2, h3, h4 { break-after: avoid; }
  p { orphans: 3; widows: 3; }
  .c a + a { display: none; }
}
`

/**
 * Content-Security-Policy of the page: it loads nothing but its own style sheet and runs in an origin of its own. Its links
 * can be opened in other windows, without these restrictions.
 */
export const HTML_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(HTML_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const writeLanguage = (tag: string): string => {
  const language = parseLanguage(tag)
  const lang = language ? ` lang="${escapeHtml(language.tag)}"` : ''
  return `${lang}${language?.direction === 'rtl' ? ' dir="rtl"' : ''}`
}

const layOutHead = (result: RenderableResult): string => `<!DOCTYPE html>
<html${writeLanguage(languageOf(result))}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(titleOf(result.videoInfo))}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<main>
`

/** Returns the text of a paragraph, in which every segment that a summary cites can be linked to. */
function writeLines({ text, segments }: Paragraph, isCited: (segmentId: number) => boolean): string {
  let html = ''
  let written = 0
  for (const [index, { id, at }] of segments.entries()) {
    if (!isCited(id)) continue
    const end = segments[index + 1]?.at ?? text.length
    const line = text.slice(at, end).trimEnd()
    html += `${escapeMarkup(text.slice(written, at))}<span id="${segmentAnchor(id)}">${escapeMarkup(line)}</span>`
    written = at + line.length
  }
  return html + escapeMarkup(text.slice(written))
}

/** Returns a function that writes a paragraph with its time, after the headings of the chapters that have started by then. */
const createParagraphWriter = ({ videoInfo, citedStarts }: RenderableResult) => {
  const { breaks, pass } = walkChapters(videoInfo)
  const write = (paragraph: Paragraph): string => {
    const { startMs } = paragraph
    const headings = pass(startMs).map((title) => `<h3>${escapeMarkup(title)}</h3>\n`)
    const lines = writeLines(paragraph, (segmentId) => citedStarts.has(segmentId))
    return `${headings.join('')}<p>${writeMoment(placeOf(videoInfo), startMs)} ${lines}</p>`
  }
  return { write, breaks }
}

async function* writePage(result: RenderableResult): AsyncGenerator<string> {
  yield `${layOutHead(result)}${layOutOpening(createHtmlSyntax(labelsOf(result)), result)}\n`
  yield `<section${writeLanguage(result.track.language)}>\n`
  yield* writeTranscript(result.cues(), { ...createParagraphWriter(result), separator: '\n' })
  yield '\n</section>\n</main>\n</body>\n</html>\n'
}

/** Yields the result as a self-contained web page, in pieces: no scripts, nothing loaded from elsewhere. */
export const renderHtmlDocument = (result: RenderableResult): AsyncIterable<string> => inPieces(writePage(result))
