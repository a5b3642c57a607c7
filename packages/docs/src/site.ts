import { setImmediate as nextTurn } from 'node:timers/promises'
import { adaptToService, addressExamples } from './adapt-to-service.ts'
import { type Assets, readAssets } from './assets.ts'
import { type DocsPage, type Navigation, writePage, writeSinglePage } from './layout.ts'
import { writeLlmsIndex } from './llms.ts'
import { type ResolveLink, renderMarkdown } from './markdown.ts'
import { type ListedSample, writeOverview } from './overview.ts'
import { CHANGELOG_PATH, DEPRECATIONS_PATH, DOCS_PATH, ERRORS_PATH, GUIDES_PATH } from './paths.ts'
import { type Guide, type GuideImage, readChangelog, readGuideImages, readGuides } from './read-guides.ts'
import type { OpenApiDocument } from './reference/document.ts'
import { type Reference, readReference } from './reference/operations.ts'
import { writeReferenceMarkdown } from './reference/write-markdown.ts'
import { buildSearchIndex } from './search-index.ts'
import type { SiteFile } from './site-file.ts'
import { buildWelcomeData, writeWelcomeHtml, writeWelcomeText } from './welcome.ts'

export interface SiteInput {
  /** As served by this installation. */
  openApi: object
  /** Origin of the service. */
  origin: string
  /** URL of its MCP server. */
  mcpUrl: string
  samples: readonly ListedSample[]
  /** Whether the root of the service is the dashboard. */
  hasDashboard: boolean
  /** Returns the Markdown of a guide with what holds on this installation. Default: the committed text. */
  adaptGuide?: (file: string, markdown: string) => string
}

/** The greeting at the root of the service, by media type. */
export interface Welcome {
  html: string
  text: string
  data: ReturnType<typeof buildWelcomeData>
}

export interface Site {
  files: SiteFile[]
  welcome: Welcome
}

interface Document {
  /** In the repository. */
  source: string
  path: string
  title: string
  description: string
  markdown: string
}

const listDocuments = (guides: Guide[]): Document[] => [
  ...guides.map(({ name, ...guide }) => ({
    ...guide,
    source: `docs/guides/${name}.md`,
    path: `${GUIDES_PATH}/${name}`,
  })),
  {
    source: 'CHANGELOG.md',
    path: CHANGELOG_PATH,
    title: 'Changelog',
    description: 'What has changed in each version.',
    markdown: readChangelog(),
  },
]

/** The guides that are also where responses of the API point to. */
const ALIASES: [source: string, path: string][] = [
  ['docs/guides/errors.md', ERRORS_PATH],
  ['docs/guides/versioning.md', DEPRECATIONS_PATH],
]

/** Returns a function that finds where the target of a link within the repository is served. */
export function createLinkResolver(documents: { source: string; path: string }[], source: string): ResolveLink {
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href
    // Only the path matters, so any origin works here.
    const target = new URL(href, new URL(source, 'file:///'))
    const found = documents.find((document) => `/${document.source}` === target.pathname)
    return found ? `${found.path}${target.hash}` : null
  }
}

const MARKDOWN_LINK = /\]\(([^()\s]+)\)/g

/** Returns the Markdown of a document with links to the Markdown of others. */
function linkMarkdown(markdown: string, resolve: ResolveLink): string {
  return markdown.replace(MARKDOWN_LINK, (whole, href: string) => {
    const [address = '', hash] = (resolve(href) ?? href).split('#')
    if (!address.startsWith('/')) return whole
    if (address.endsWith('.png')) return `](${address})`
    return `](${address}.md${hash === undefined ? '' : `#${hash}`})`
  })
}

async function buildPages(
  documents: Document[],
  images: readonly GuideImage[],
): Promise<{ pages: DocsPage[]; twins: (SiteFile & { content: string })[] }> {
  const pages: DocsPage[] = []
  const twins: (SiteFile & { content: string })[] = []
  for (const { source, path, title, description, markdown } of documents) {
    await nextTurn()
    const resolve = createLinkResolver([...documents, ...images], source)
    const { html, sections } = renderMarkdown(markdown, resolve, images)
    const markdownPath = `${path}.md`
    pages.push({ path, title, description, body: `<article>${html}</article>`, sections, markdownPath })
    twins.push({ path: markdownPath, mediaType: 'text/markdown', content: linkMarkdown(markdown, resolve) })
  }
  return { pages, twins }
}

function addAliases(documents: Document[], files: SiteFile[]): SiteFile[] {
  return ALIASES.flatMap(([source, alias]) => {
    const document = documents.find((each) => each.source === source)
    return ['', '.md'].flatMap((extension) => {
      const file = files.find(({ path }) => path === `${document?.path}${extension}`)
      return file ? [{ ...file, path: `${alias}${extension}` }] : []
    })
  })
}

const buildOverviewPage = async (
  reference: Reference,
  guides: Guide[],
  samples: readonly ListedSample[],
): Promise<DocsPage> => ({
  path: DOCS_PATH,
  title: 'API reference',
  description: reference.summary,
  body: await writeOverview(reference, guides, samples),
  sections: [],
  isWide: true,
  markdownPath: `${DOCS_PATH}/reference.md`,
  scripts: ['try.js'],
})

function buildWelcome({ origin, samples, hasDashboard }: SiteInput, assets: Assets): Welcome {
  const input = { origin, sample: samples[0], hasDashboard }
  const body = writeWelcomeHtml(input)
  const page = { path: '/', title: 'Welcome', description: 'Next steps.', body, sections: [] }
  return { html: writeSinglePage(page, assets), text: writeWelcomeText(input), data: buildWelcomeData(input) }
}

/**
 * Builds the whole documentation. It takes about a third of a second of CPU, in steps between which other requests are served:
 * build it once, when it is first requested.
 */
export async function buildSite(input: SiteInput): Promise<Site> {
  const reference = readReference(
    JSON.parse(addressExamples(JSON.stringify(input.openApi), input.origin)) as OpenApiDocument,
  )
  const { adaptGuide = (_file, markdown) => markdown, samples } = input
  const service = { ...input, hasSamples: samples.length > 0 }
  const guides = readGuides((file, markdown) => adaptToService(adaptGuide(file, markdown), service))
  const documents = listDocuments(guides)
  const images = readGuideImages()
  const { pages, twins } = await buildPages(documents, images)
  const assets = readAssets()
  assets.add('search.json', buildSearchIndex(pages, reference))
  const navigation: Navigation = { guides, groups: reference.groups, hasDashboard: input.hasDashboard }
  const referenceMarkdown = writeReferenceMarkdown(reference)
  const overview = await buildOverviewPage(reference, guides, samples)
  const html = [overview, ...pages].map((page) => ({
    path: page.path,
    mediaType: 'text/html',
    content: writePage(page, { assets, navigation }),
  }))
  const all = [...twins.map(({ content }) => content), referenceMarkdown].join('\n\n')
  return {
    files: [
      ...html,
      ...twins,
      ...addAliases(documents, [...html, ...twins]),
      { path: `${DOCS_PATH}/reference.md`, mediaType: 'text/markdown', content: `${referenceMarkdown}\n` },
      { path: '/llms.txt', mediaType: 'text/plain', content: writeLlmsIndex(reference, guides, input.origin) },
      { path: '/llms-full.txt', mediaType: 'text/plain', content: all },
      ...assets.files(),
      ...images.map(({ path, mediaType, content, isImmutable }) => ({ path, mediaType, content, isImmutable })),
    ],
    welcome: buildWelcome(input, assets),
  }
}
