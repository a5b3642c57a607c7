import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { API_PREFIX } from '@subtext/contracts'
import type { Express } from 'express'
import {
  ASSETS,
  buildOperationsPage,
  DEPRECATIONS_PAGE,
  ERRORS_PAGE,
  OPERATIONS_SCRIPT,
  PAGES_STYLE,
} from './docs-pages.ts'
import { refuseOtherMethods } from './mount.ts'

/** Allows nothing from other origins. Swagger UI sets inline styles and uses images embedded in its style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Builds the page with the sample videos when it is first requested: most installations have no use for them. */
async function buildReference(sampleVideos: boolean): Promise<string> {
  return buildOperationsPage(sampleVideos ? (await import('@subtext/sample-platform')).SAMPLES : [])
}

const OWN_ASSETS: Record<string, string> = { 'pages.css': PAGES_STYLE, 'operations.js': OPERATIONS_SCRIPT }
const require = createRequire(import.meta.url)
/** Paths of the Swagger UI files. Importing its main module would load all of them. */
const VENDOR_ASSETS: Record<string, string> = {
  'swagger-ui.css': require.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
}

interface Asset {
  content: Buffer
  etag: string
}

/** Assets that have been read, shared by all apps in the process. */
const assets = new Map<string, Asset>()

function readAsset(name: string): Asset {
  const known = assets.get(name)
  if (known) return known
  const file = VENDOR_ASSETS[name]
  const content = file ? readFileSync(file) : Buffer.from(OWN_ASSETS[name] ?? '')
  const asset = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` }
  assets.set(name, asset)
  return asset
}

/** Mounts the pages for readers: the interactive operations, and the targets of `docs_url` and of deprecation links. */
export function mountDocs(app: Express, sampleVideos: boolean): void {
  let reference: Promise<string> | undefined
  const pages: Record<string, () => string | Promise<string>> = {
    [`${API_PREFIX}/docs`]: () => {
      reference ??= buildReference(sampleVideos)
      return reference
    },
    [`${API_PREFIX}/docs/errors`]: () => ERRORS_PAGE,
    [`${API_PREFIX}/docs/deprecations`]: () => DEPRECATIONS_PAGE,
  }
  for (const [path, getPage] of Object.entries(pages)) {
    app.get(path, async (_request, response) => {
      response.setHeader('Content-Security-Policy', POLICY)
      response.type('html').send(await getPage())
    })
    refuseOtherMethods(app, path, ['GET'])
  }
  for (const name of [...Object.keys(OWN_ASSETS), ...Object.keys(VENDOR_ASSETS)]) {
    app.get(`${ASSETS}/${name}`, (_request, response) => {
      const { content, etag } = readAsset(name)
      response.setHeader('ETag', etag)
      response.setHeader('Cache-Control', 'public, max-age=86400')
      response.type(extname(name)).send(content)
    })
    refuseOtherMethods(app, `${ASSETS}/${name}`, ['GET'])
  }
  app.get('/docs', (_request, response) => response.redirect(308, `${API_PREFIX}/docs`))
}
