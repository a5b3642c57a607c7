import { API_PREFIX, ERROR_CODES, ERROR_HELP, ERRORS, type ErrorCode } from '@subtext/contracts'
import type { Sample } from '@subtext/sample-platform'

const DOCS = `${API_PREFIX}/docs`
/** Path of the files that the pages load. */
export const ASSETS = `${DOCS}/assets`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)

const NAVIGATION = `<nav>
<a href="${DOCS}">Operations</a>
<a href="${DOCS}/errors">Errors</a>
<a href="${DOCS}/deprecations">Deprecations</a>
<a href="${API_PREFIX}/openapi.json">openapi.json</a>
</nav>`

const page = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} - Subtext API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS}/pages.css">
${head}</head>
<body>
${NAVIGATION}
${body}
</body>
</html>
`

function sampleRow({ id, title, language, shows, error }: Sample): string {
  const url = `https://www.youtube.com/watch?v=${id}`
  const outcome = error
    ? `<code>${[error.code, error.reason].filter(Boolean).join('</code> <code>')}</code>`
    : 'completes'
  const cells = [
    `<code>${url}</code>`,
    `<span lang="${language}">${escapeHtml(title)}</span>`,
    escapeHtml(shows),
    outcome,
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

const listSamples = (samples: readonly Sample[]): string => `<details id="sample-videos">
<summary>Sample videos: ${samples.length} that need no way to the video platform</summary>
<p>This installation serves them itself. Some complete, the others fail in each way there is. Everything else is as for any
video: they count toward the quota and cause webhooks.</p>
<table>
<tr><th>URL</th><th>Title</th><th>Shows</th><th>Outcome</th></tr>
${samples.map(sampleRow).join('\n')}
</table>
</details>`

/** Returns the interactive reference of all operations, below a list of the sample videos, if there are any. */
export const buildOperationsPage = (samples: readonly Sample[]): string =>
  page(
    'Operations',
    `${samples.length > 0 ? listSamples(samples) : ''}
<div id="operations"></div>
<noscript><p>This page needs JavaScript. The same information is in <a href="${API_PREFIX}/openapi.json">openapi.json</a>.</p></noscript>
<script src="${ASSETS}/swagger-ui-bundle.js"></script>
<script src="${ASSETS}/operations.js"></script>`,
    `<link rel="stylesheet" href="${ASSETS}/swagger-ui.css">\n`,
  )

/** Starts Swagger UI. Requests go to the origin of the page, whatever public address the document contains. */
export const OPERATIONS_SCRIPT = `fetch('${API_PREFIX}/openapi.json')
  .then((response) => response.json())
  .then((spec) => {
    spec.servers = [{ url: location.origin + '${API_PREFIX}' }]
    SwaggerUIBundle({
      spec,
      dom_id: '#operations',
      deepLinking: true,
      displayRequestDuration: true,
      persistAuthorization: false,
      tryItOutEnabled: true,
      validatorUrl: null,
    })
  })
`

/** Converts a sentence of Markdown, of which only code spans occur. */
const toHtml = (markdown: string): string => escapeHtml(markdown).replace(/`([^`]+)`/g, '<code>$1</code>')

function errorRow(code: ErrorCode): string {
  const { status, retryable } = ERRORS[code]
  const { cause, remedy } = ERROR_HELP[code]
  const cells = [`<code>${code}</code>`, status, retryable ? 'yes' : 'no', toHtml(cause), toHtml(remedy)]
  return `<tr id="${code}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

/** All error codes, each at the anchor that `docs_url` of an error points to. */
export const ERRORS_PAGE = page(
  'Errors',
  `<main>
<h1>Errors</h1>
<p>All errors have the same envelope. Make decisions based on <code>error.code</code>; the wording of <code>error.message</code> may change.
<code>error.retryable</code> says whether the same request may succeed later.</p>
<table>
<tr><th>Code</th><th>Status</th><th>Retryable</th><th>Cause</th><th>What to do</th></tr>
${ERROR_CODES.map(errorRow).join('\n')}
</table>
</main>`,
)

/** The target of the `Link` header that a deprecated field causes. */
export const DEPRECATIONS_PAGE = page(
  'Deprecations',
  `<main>
<h1>Deprecations</h1>
<p>Deprecated fields continue to work; responses carry a <code>Deprecation</code> header (RFC 9745) and a warning in <code>meta.warnings</code>.
Nothing is removed without 90 days' notice.</p>
<table>
<tr><th>Deprecated</th><th>Use instead</th><th>Since</th><th>Removed in</th></tr>
<tr id="video_url"><td><code>video_url</code></td><td><code>url</code></td><td>v1.1.0</td><td>v2.0</td></tr>
<tr id="summary_mode"><td><code>summary_mode</code></td><td><code>options.summary_modes</code>, a list</td><td>v1.1.0</td><td>v2.0</td></tr>
<tr id="summary_type"><td><code>summary_type</code></td><td><code>options.summary_modes</code>, a list</td><td>v1.1.0</td><td>v2.0</td></tr>
<tr id="jobs"><td><code>jobs</code> of a batch</td><td><code>videos</code></td><td>v1.1.0</td><td>v2.0</td></tr>
</table>
<p><code>{"video_url":"...","summary_type":"tldr"}</code> becomes
<code>{"url":"...","options":{"summary_modes":["tldr"]}}</code>.</p>
</main>`,
)

export const PAGES_STYLE = `body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #222; background: #fff; }
nav { padding: .75rem 1.25rem; background: #1b2a33; }
nav a { color: #fff; margin-right: 1.25rem; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem 1.25rem; }
table { border-collapse: collapse; }
td, th { border: 1px solid #ccc; padding: .35rem .6rem; text-align: left; vertical-align: top; }
tr:target { background: #fff3c4; }
details { padding: .75rem 1.25rem; }
`
