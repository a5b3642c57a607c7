import type { Digest, DigestPoint } from '@subtext/contracts'
import { HTML_STYLE } from './html-document.ts'
import { createHtmlSyntax, escapeHtml } from './html-syntax.ts'
import { selectLabels } from './labels/select.ts'
import { parseLanguage } from './language.ts'
import { type Moment, markdownSyntax, type Syntax, type TimedClaim } from './syntax.ts'

/** A digest as it is laid out. */
export interface RenderableDigest
  extends Pick<Digest, 'themes' | 'disagreements' | 'videos' | 'coverage' | 'created_at'> {
  /** Of headings and labels, BCP-47. */
  language: string
}

const ON_PLATFORM = 'https://www.youtube.com/watch?v='

/** Returns the ID of a video on the platform, or the address of another recording, from the link to a moment in it. */
function placeOf(url: string): string {
  const address = url.replace(/[?&#]t=\d+s?$/, '')
  return address.startsWith(ON_PLATFORM) ? decodeURIComponent(address.slice(ON_PLATFORM.length)) : address
}

const toMoment = ({ start, url }: DigestPoint['citations'][number]): Moment => ({
  place: placeOf(url),
  startMs: start * 1_000,
})

/** Returns the blocks of a digest, after its title. */
export function layOutDigest(syntax: Syntax, digest: RenderableDigest): string[] {
  const labels = selectLabels(digest.language)
  const titles = new Map(digest.videos.map(({ job_id, video_title }) => [job_id, video_title]))
  const toClaim = ({ text, citations }: DigestPoint): TimedClaim => {
    const title = titles.get(citations[0]?.job_id ?? '')
    return { text: title === undefined ? text : `${text} (${title})`, moments: citations.map(toMoment) }
  }
  const listPoints = (points: readonly DigestPoint[]): string =>
    syntax.list(points.map((point) => syntax.claim(toClaim(point))))
  return [
    ...digest.themes.flatMap(({ title, points }) => [syntax.heading({ level: 2, text: title }), listPoints(points)]),
    ...(digest.disagreements.length > 0 ? [syntax.heading({ level: 2, text: labels.disagreements })] : []),
    ...digest.disagreements.flatMap(({ question, positions }) => [
      syntax.heading({ level: 3, text: question }),
      listPoints(positions),
    ]),
    syntax.heading({ level: 2, text: labels.videos }),
    syntax.list(
      digest.videos.map(({ video_title, status, one_line }) => {
        const said = status === 'failed' ? labels.notProcessed : one_line
        return syntax.item(said === undefined ? video_title : `${video_title}${labels.colon}${said}`)
      }),
    ),
  ]
}

const DATE_CHARS = 'yyyy-mm-dd'.length

export const titleOfDigest = ({ language, created_at }: RenderableDigest): string =>
  `${selectLabels(language).digest} · ${created_at.slice(0, DATE_CHARS)}`

/** Renders a digest as Markdown. */
export const renderDigestMarkdown = (digest: RenderableDigest): string =>
  `${markdownSyntax.join([
    markdownSyntax.heading({ level: 1, text: titleOfDigest(digest) }),
    ...layOutDigest(markdownSyntax, digest),
  ])}\n`

/** Renders a digest as a web page. */
export function renderDigestHtml(digest: RenderableDigest): string {
  const language = parseLanguage(digest.language)
  const syntax = createHtmlSyntax({ video: selectLabels(digest.language).video })
  const title = titleOfDigest(digest)
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language?.tag ?? 'und')}"${language?.direction === 'rtl' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<main>
${syntax.join([syntax.heading({ level: 1, text: title }), ...layOutDigest(syntax, digest)])}
</main>
</body>
</html>
`
}
