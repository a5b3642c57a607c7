import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { contentType } from '@subtext/contracts'
import { type Express, type Request, type RequestHandler, type Response, Router } from 'express'
import helmet from 'helmet'
import { BROTLI, isCompressible, THRESHOLD_BYTES } from './compress.ts'

const FOLDER = fileURLToPath(new URL('../../../../dist-dashboard/', import.meta.url))
/** Names of these files contain a hash of their content. */
const IMMUTABLE = /^\/assets\//
const ONE_YEAR_SECONDS = 31_536_000
/** Paths that are not part of the dashboard, with everything below them. */
const RESERVED = /^\/(?:api|auth|emails|mcp|health|docs|llms|\.well-known)/

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const SELF = ["'self'"]
/** Pages load only files of their own origin, besides the player, which is a frame, and pictures of videos. */
const setPolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': SELF,
    'style-src': SELF,
    'font-src': SELF,
    'img-src': [...SELF, 'data:', 'https://i.ytimg.com'],
    'connect-src': SELF,
    'frame-src': ['https://www.youtube-nocookie.com'],
    'base-uri': ["'none'"],
    'form-action': SELF,
    'frame-ancestors': ["'none'"],
  },
})

interface DashboardFile {
  content: Buffer
  mediaType: string
  etag: string
  /** The content as it was compressed for the first browser that accepts brotli: compressing it for each costs more than the rest. */
  compressed?: Promise<Buffer>
}

const compressFile = promisify(brotliCompress)

/** Reads all files, by their path in a URL. Empty where the dashboard has not been built. */
async function readFiles(): Promise<ReadonlyMap<string, DashboardFile>> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true }).catch(() => [])
  const known = entries.filter((entry) => entry.isFile() && extname(entry.name) in MEDIA_TYPES)
  const files = known.map(async ({ parentPath, name }): Promise<[string, DashboardFile]> => {
    const file = join(parentPath, name)
    const content = await readFile(file)
    const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`
    const path = `/${relative(FOLDER, file).split(sep).join('/')}`
    return [path, { content, etag, mediaType: MEDIA_TYPES[extname(name)] ?? '' }]
  })
  return new Map(await Promise.all(files))
}

async function send(response: Response, path: string, file: DashboardFile): Promise<void> {
  const { content, mediaType, etag } = file
  if (mediaType === 'text/html') setPolicy(response.req, response, () => {})
  response.setHeader('ETag', etag)
  response.setHeader(
    'Cache-Control',
    IMMUTABLE.test(path) ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache',
  )
  response.setHeader('Content-Type', contentType(mediaType))
  response.send(isCompressed(response, file) ? await compressOnce(response, file) : content)
}

/** For callers that do not accept brotli, the middleware compresses. */
const isCompressed = (response: Response, { content }: DashboardFile): boolean =>
  content.length >= THRESHOLD_BYTES &&
  isCompressible(response.req, response) &&
  response.req.acceptsEncodings('br') === 'br'

function compressOnce(response: Response, file: DashboardFile): Promise<Buffer> {
  response.vary('Accept-Encoding')
  response.setHeader('Content-Encoding', 'br')
  file.compressed ??= compressFile(file.content, BROTLI)
  return file.compressed
}

/** The root greets programs. */
const PAGE_TYPES = ['text/html', 'application/json']
const ROOT_TYPES = ['application/json', 'text/plain', 'text/html']

/** A path that names a file, which is not a page even if there is no such file. */
const FILE_PATH = /^\/assets\/|\.\w+$/

const wantsPage = (request: Request): boolean =>
  request.headers.accept !== undefined &&
  !FILE_PATH.test(request.path) &&
  request.accepts(request.path === '/' ? ROOT_TYPES : PAGE_TYPES) === 'text/html'

/**
 * Serves the dashboard: its files and its single page at every path that is not used otherwise, unless JSON is preferred. Does nothing
 * where the dashboard has not been built. These requests count toward no limit: a page takes twenty of them, and many people
 * share the address of an office. `before`: middleware that they pass first.
 */
export function mountDashboard(app: Express, before: RequestHandler[]): void {
  let reading: ReturnType<typeof readFiles> | undefined
  const pages = Router()
  for (const handler of before) pages.use(handler)
  pages.use(async (request, response, next) => {
    reading ??= readFiles()
    const files = await reading
    const file = files.get(request.path)
    if (file && request.path !== '/index.html') return send(response, request.path, file)
    const page = files.get('/index.html')
    if (!page || !wantsPage(request)) return next()
    response.vary('Accept')
    return send(response, '/', page)
  })
  app.use((request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method) || RESERVED.test(request.path)) next()
    else pages(request, response, next)
  })
}
