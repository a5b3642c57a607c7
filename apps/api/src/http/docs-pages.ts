import { API_PREFIX, ERROR_CODES, ERRORS, type ErrorCode } from '@subtext/contracts'

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

/** The interactive reference of all operations. */
export const OPERATIONS_PAGE = page(
  'Operations',
  `<div id="operations"></div>
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

const ADVICE: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Each entry of <code>details.issues</code> has the path of a field and says what is wrong with it.',
  UNAUTHORIZED:
    'Send the key as <code>Authorization: Bearer sk_...</code>. It may also have been revoked or have expired.',
  PLAN_UPGRADE_REQUIRED:
    '<code>details.violations</code> lists everything in the request that the plan does not include.',
  INSUFFICIENT_SCOPE: 'Use a key with the scope in <code>details.required_scope</code>.',
  NOT_FOUND: 'Resources of other accounts are reported the same way.',
  JOB_NOT_COMPLETED:
    'Wait for <code>Retry-After</code> seconds, or follow the job with <code>?wait=30</code> on its status.',
  TRANSCRIPT_UNAVAILABLE:
    '<code>details.reason</code>: <code>no_captions</code>, <code>captions_disabled</code>, <code>private</code>, <code>not_yet_captioned</code> or <code>unreadable</code> (too large, or not in a form that can be read).',
  RATE_LIMITED: 'Wait for <code>Retry-After</code> seconds, and longer after each further refusal.',
  QUOTA_EXCEEDED:
    '<code>details.quota</code> is <code>daily</code> or <code>monthly</code>; it resets at <code>details.reset_at</code>.',
  INTERNAL_ERROR: 'Include <code>meta.request_id</code> when you report it.',
  PROCESSING_TIMEOUT: 'The job may still be running: if <code>details.job_id</code> is present, follow that job.',
}

function errorRow(code: ErrorCode): string {
  const { status, retryable, message } = ERRORS[code]
  const meaning = [escapeHtml(message), ADVICE[code]].filter(Boolean).join(' ')
  return `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${retryable ? 'yes' : 'no'}</td><td>${meaning}</td></tr>`
}

/** All error codes, each at the anchor that `docs_url` of an error points to. */
export const ERRORS_PAGE = page(
  'Errors',
  `<main>
<h1>Errors</h1>
<p>All errors have the same envelope. Make decisions based on <code>error.code</code>; the wording of <code>error.message</code> may change.
<code>error.retryable</code> says whether the same request may succeed later.</p>
<table>
<tr><th>Code</th><th>Status</th><th>Retryable</th><th>Meaning</th></tr>
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
`
