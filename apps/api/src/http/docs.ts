import { createHash } from 'node:crypto'
import { contentType, ServiceError } from '@subtext/contracts'
import { buildSite, DOCS_PATH, type SiteFile, type Welcome } from '@subtext/docs'
import type { Express, Request, Response } from 'express'
import helmet from 'helmet'
import type { ApiContext } from '../context.ts'
import { updateTables } from '../published-guides.ts'
import { refuseMethod, refuseOtherMethods } from './mount.ts'
import { sendReply } from './reply.ts'

const SELF = ["'self'"]
/** Pages load only files of their own origin, and run no inline scripts. */
const setPagePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': SELF,
    'style-src': SELF,
    'img-src': SELF,
    // Requests of the reference, and the search.
    'connect-src': SELF,
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
})

const ONE_YEAR_SECONDS = 31_536_000
const HTML = 'text/html'
const TEXT = 'text/plain'
const JSON_TYPE = 'application/json'

interface ServedFile extends SiteFile {
  etag: string
}

interface ServedSite {
  files: ReadonlyMap<string, ServedFile>
  welcome: Welcome
}

/** Weak, because compression changes the bytes. */
const tag = (content: string | Buffer): string => `W/"${createHash('sha256').update(content).digest('base64url')}"`

async function buildServedSite({ http, planQuotas }: ApiContext, openApi: object): Promise<ServedSite> {
  // Loaded only when they are requested, because most installations do not use them.
  const samples = http.sampleVideos ? (await import('@subtext/sample-platform')).SAMPLES : []
  const { files, welcome } = await buildSite({
    openApi,
    origin: http.publicBaseUrl,
    mcpUrl: http.mcpUrl,
    samples,
    hasDashboard: http.hasDashboard,
    adaptGuide: (file, text) => updateTables(file, text, planQuotas),
  })
  return { files: new Map(files.map((file) => [file.path, { ...file, etag: tag(file.content) }])), welcome }
}

/** Responds 304 if the caller has this version. */
function sendFile(response: Response, { mediaType, content, isImmutable, etag }: ServedFile): void {
  if (mediaType === HTML) setPagePolicy(response.req, response, () => {})
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', isImmutable ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache')
  response.setHeader('Content-Type', typeof content === 'string' ? contentType(mediaType) : mediaType)
  response.send(content)
}

/** Greets at the root: as a page for browsers, as JSON for programs, and as text for those that ask for it. */
async function sendWelcome(ctx: ApiContext, { welcome }: ServedSite, request: Request, response: Response) {
  // The first type is sent to callers that accept anything.
  const available = [JSON_TYPE, TEXT, HTML]
  const accepted = request.accepts(available)
  response.vary('Accept')
  if (accepted === JSON_TYPE) return sendReply(ctx, response, 200, { data: welcome.data })
  if (accepted === false) throw new ServiceError('NOT_ACCEPTABLE', { details: { available } })
  const content = accepted === HTML ? welcome.html : welcome.text
  return sendFile(response, { path: '/', mediaType: accepted, content, etag: tag(content) })
}

/** Mounts the documentation: the greeting, the reference, the guides, and the files for language models. */
export function mountDocs(app: Express, ctx: ApiContext, readOpenApi: () => object): void {
  let building: Promise<ServedSite> | undefined
  const getSite = (): Promise<ServedSite> => {
    building ??= buildServedSite(ctx, readOpenApi()).catch((error: unknown) => {
      building = undefined
      throw error
    })
    return building
  }
  app.get('/', async (request, response) => sendWelcome(ctx, await getSite(), request, response))
  refuseOtherMethods(app, '/', ['GET'])
  for (const path of ['/docs', `${DOCS_PATH}/guides`]) {
    app.get(path, (_request, response) => response.redirect(308, DOCS_PATH))
    refuseOtherMethods(app, path, ['GET'])
  }
  app.use(['/llms.txt', '/llms-full.txt', DOCS_PATH], async (request, response, next) => {
    const path = `${request.baseUrl}${request.path}`.replace(/\/$/, '')
    const file = (await getSite()).files.get(path)
    if (!file) return next()
    return ['GET', 'HEAD'].includes(request.method) ? sendFile(response, file) : refuseMethod(response, ['GET'])
  })
}
