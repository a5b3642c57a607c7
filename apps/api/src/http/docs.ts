import { API_PREFIX, ERRORS, type RouteShape } from '@subtext/contracts'
import type { Express } from 'express'
import { refuseOtherMethods } from './mount.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)

const row = (cells: string[], id = ''): string =>
  `<tr${id && ` id="${escapeHtml(id)}"`}>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`

/** The page that `docs_url` of errors and the deprecation links point into; it needs nothing from elsewhere. */
function buildDocsPage(routes: RouteShape[]): string {
  const calls = routes.map((route) => row([`${route.method.toUpperCase()} ${API_PREFIX}${route.path}`, route.summary]))
  const errors = Object.entries(ERRORS).map(([code, { status, retryable, message }]) =>
    row([code, String(status), retryable ? 'yes' : 'no', message], `error-${code}`),
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Subtext API</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: .3rem .6rem; text-align: left; }
tr:target { background: #fff3c4; }
</style>
<h1>Subtext API</h1>
<p>Machines read <a href="${API_PREFIX}/openapi.json">openapi.json</a>. Send your key as <code>Authorization: Bearer</code> or
<code>X-API-Key</code>.</p>
<h2>Calls</h2>
<table>${calls.join('\n')}</table>
<h2>Errors</h2>
<table><tr><th>Code</th><th>Status</th><th>Try again</th><th>Meaning</th></tr>
${errors.join('\n')}</table>
<h2 id="deprecations">Deprecations</h2>
<p><code>video_url</code> is now <code>url</code>; <code>summary_mode</code> and <code>summary_type</code> are now
<code>options.summary_modes</code>, an array. The older names work until v2.0.</p>
</html>
`
}

export function mountDocs(app: Express, routes: RouteShape[]): void {
  const page = buildDocsPage(routes)
  app.get(`${API_PREFIX}/docs`, (_request, response) => {
    response.type('html').send(page)
  })
  refuseOtherMethods(app, `${API_PREFIX}/docs`, ['GET'])
  app.get('/docs', (_request, response) => response.redirect(308, `${API_PREFIX}/docs`))
}
