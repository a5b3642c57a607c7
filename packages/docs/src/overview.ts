import { escapeMarkup } from '@subtext/render'
import { renderCode, renderInline, renderMarkdown } from './markdown.ts'
import { GUIDES_PATH } from './paths.ts'
import type { Guide } from './read-guides.ts'
import type { Reference } from './reference/operations.ts'
import { writeReferenceHtml } from './reference/write-html.ts'

/** A video that the service itself serves, to try it with. */
export interface ListedSample {
  id: string
  title: string
  /** BCP-47. */
  language: string
  /** What it is a sample of. */
  shows: string
  /** The error of its jobs, if they fail. */
  error?: { code: string; reason?: string }
}

export const watchUrl = (id: string): string => `https://www.youtube.com/watch?v=${id}`

const writeFirstCall = (server: string, video: ListedSample | undefined): string =>
  [
    `curl -s ${server}/videos/process \\`,
    '  -H "Authorization: Bearer $KEY" -H \'Content-Type: application/json\' \\',
    `  -d '{"url":"${watchUrl(video?.id ?? 'VIDEO_ID')}"}'`,
  ].join('\n')

const writeGuides = (guides: Guide[]): string =>
  `<ul class="cards">${guides
    .map(
      ({ name, title, description }) =>
        `<li><a href="${GUIDES_PATH}/${name}"><b>${escapeMarkup(title)}</b> <span>${renderInline(description)}</span></a></li>`,
    )
    .join('')}</ul>`

function writeSample({ id, title, language, shows, error }: ListedSample): string {
  const codes = [error?.code, error?.reason].flatMap((each) => (each ? [`<code>${escapeMarkup(each)}</code>`] : []))
  const cells = [
    `<code>${escapeMarkup(watchUrl(id))}</code><br><span lang="${escapeMarkup(language)}">${escapeMarkup(title)}</span>`,
    escapeMarkup(shows),
    error ? codes.join(' ') : 'completes',
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

const writeSampleVideos = (samples: readonly ListedSample[]): string =>
  samples.length === 0
    ? ''
    : `<h2 id="sample-videos">Sample videos</h2>
<p>The service itself serves these videos, so they work without the video platform. Some complete; the others fail, in each of
the ways that a video can fail. Apart from that they are like any video: they count toward the quota and cause webhooks.</p>
<details><summary>Show ${samples.length} sample videos</summary>
<div class="table" tabindex="0"><table>
<thead><tr><th>Video</th><th>What it shows</th><th>Outcome</th></tr></thead>
<tbody>
${samples.map(writeSample).join('\n')}
</tbody>
</table></div>
</details>`

/** Returns the entry to the documentation: the first request, the guides, the sample videos, and all operations. */
export async function writeOverview(
  reference: Reference,
  guides: Guide[],
  samples: readonly ListedSample[],
): Promise<string> {
  const { title, version, description, server } = reference
  const [lead = '', ...basics] = description.split('\n\n')
  return `<div class="intro">
<h1>${escapeMarkup(title)} API <small>${escapeMarkup(version)}</small></h1>
<p class="lead">${renderInline(lead)}</p>
${renderCode(writeFirstCall(server, samples[0]), 'bash')}
<h2 id="guides">Guides</h2>
${writeGuides(guides)}
<h2 id="basics">Basics</h2>
${renderMarkdown(basics.join('\n\n'), (href) => href).html}
<form class="key" hidden>
<label for="key">API key for requests from this page</label>
<input id="key" type="password" placeholder="sk_..." autocomplete="off" spellcheck="false">
<p class="notes">It is forgotten when you leave the page.</p>
</form>
${writeSampleVideos(samples)}
</div>
${await writeReferenceHtml(reference)}`
}
