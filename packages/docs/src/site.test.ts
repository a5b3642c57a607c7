import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { buildOpenApi, videos } from '@subtext/contracts'
import { adaptToService } from './adapt-to-service.ts'
import { buildSite, type Site } from './site.ts'

const ROOT = new URL('../../../', import.meta.url)
const ORIGIN = 'https://videos.example.com'
const MCP_URL = 'https://mcp.example.com/mcp'
const SAMPLES = [
  { id: 'sbtx-en-map', title: 'A <map>', language: 'en', shows: 'English' },
  { id: 'sbtx-x-gone', title: 'Gone', language: 'en', shows: 'a failure', error: { code: 'VIDEO_UNAVAILABLE' } },
]

let site: Site
/** Of a service without operations, sample videos and dashboard. */
let bareSite: Site
const contentOf = (path: string): string => String(site.files.find((file) => file.path === path)?.content ?? '')

beforeAll(async () => {
  const openApi = buildOpenApi(Object.values(videos), ORIGIN)
  site = await buildSite({ openApi, origin: ORIGIN, mcpUrl: MCP_URL, samples: SAMPLES, hasDashboard: true })
  const bare = { openApi: buildOpenApi([], ORIGIN), origin: ORIGIN, mcpUrl: MCP_URL, samples: [], hasDashboard: false }
  bareSite = await buildSite(bare)
})

const GUIDES = readdirSync(new URL('docs/guides/', ROOT))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replace(/\.md$/, ''))

test('serves every guide as a page and as Markdown, and lists it in the overview of the guides', () => {
  const overview = readFileSync(new URL('docs/README.md', ROOT), 'utf8')
  for (const name of GUIDES) {
    expect(contentOf(`/api/v1/docs/guides/${name}`)).toContain('<h1 ')
    expect(contentOf(`/api/v1/docs/guides/${name}.md`)).toMatch(/^# /)
    expect(overview).toContain(`](guides/${name}.md) | `)
    expect(contentOf('/llms.txt')).toMatch(
      new RegExp(`- \\[[^\\]]+\\]\\(${ORIGIN}/api/v1/docs/guides/${name}\\.md\\): \\w`),
    )
  }
})

test.each(['CHANGELOG.md', 'docs/README.md', ...GUIDES.map((name) => `docs/guides/${name}.md`)])(
  'the links in %s lead to files of the repository',
  (source) => {
    const text = readFileSync(new URL(source, ROOT), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, href = '']) => href)
    const missing = links.filter((href) => !existsSync(new URL(href, new URL(source, ROOT))))
    expect(missing).toEqual([])
  },
)

test.each(GUIDES)('the commands of the guide %s use the variables that the quick start sets', (name) => {
  const commands = readFileSync(new URL(`docs/guides/${name}.md`, ROOT), 'utf8').split('\n')
  for (const line of commands.filter((each) => each.includes('curl ') && each.includes('Bearer'))) {
    expect(line).toMatch(/"\$API\/.*"Authorization: Bearer \$KEY"|SUBTEXT_API_BASE\$path/)
  }
})

test('the Markdown of a guide links to the Markdown of others, the page to their pages', () => {
  expect(contentOf('/api/v1/docs/guides/versioning.md')).toContain('[changelog](/api/v1/docs/changelog.md)')
  expect(contentOf('/api/v1/docs/guides/versioning')).toContain('href="/api/v1/docs/changelog"')
  for (const { path, content } of site.files.filter(({ mediaType }) => mediaType === 'text/html')) {
    // A link without an address leads to something that is not served.
    expect([path, String(content).match(/<a>/)]).toEqual([path, null])
  }
})

test('llms.txt has a title, a summary and lists of links, in this order', () => {
  const lines = contentOf('/llms.txt').split('\n')
  expect(lines[0]).toBe('# Subtext')
  expect(lines.find((line) => line !== '' && line !== lines[0])).toMatch(/^> /)
  const headings = lines.filter((line) => line.startsWith('#'))
  expect(headings).toEqual(['# Subtext', '## Guides', '## Reference', '## Optional'])
  for (const line of lines.slice(lines.indexOf('## Guides')).filter((each) => each !== '' && !each.startsWith('#'))) {
    expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)]+\): \S/)
  }
})

test('llms-full.txt contains every guide and every operation', () => {
  const text = contentOf('/llms-full.txt')
  for (const name of GUIDES) expect(text).toContain(contentOf(`/api/v1/docs/guides/${name}.md`))
  for (const { summary } of Object.values(videos)) expect(text).toContain(`### ${summary}`)
})

test('the search finds every section of a guide and every operation', () => {
  const index = JSON.parse(String(site.files.find(({ path }) => path.endsWith('.json'))?.content ?? '[]')) as {
    h: string
    u: string
    t: string
  }[]
  const find = (heading: string) => index.find(({ h }) => h === heading)
  expect(find('Verifying signatures')).toMatchObject({ u: '/api/v1/docs/guides/webhooks#verifying-signatures' })
  expect(find('NOT_FOUND')?.u).toBe('/api/v1/docs/guides/errors#NOT_FOUND')
  expect(find('Submit a video')).toMatchObject({
    u: '/api/v1/docs#submitVideo',
    t: expect.stringContaining('summary_modes'),
  })
})

test('the search forgives a typing error, and says what it found instead', () => {
  const index = JSON.parse(String(site.files.find(({ path }) => path.endsWith('.json'))?.content))
  const context = createContext({})
  runInContext(readFileSync(new URL('./browser/rank.js', import.meta.url), 'utf8'), context)
  const rank = (question: string): { entries: { h: string }[]; words: string[] } => context.rankEntries(index, question)
  const headings = (question: string): string[] => rank(question).entries.map(({ h }) => h)
  expect(headings('verifying signatures')[0]).toBe('Verifying signatures')
  for (const [typed, meant] of [
    ['signatrues', 'signatures'],
    ['verifing', 'verifying'],
    ['webhoks', 'webhooks'],
    ['idempotancy', 'idempotency'],
  ] as const) {
    expect([typed, rank(typed).words]).toEqual([typed, [meant]])
    expect(headings(typed)).toEqual(headings(meant))
  }
  // What is written correctly is found as before, and a short word is not guessed.
  expect(rank('pdf').words).toEqual(['pdf'])
  for (const nonsense of ['qzx', 'xylophonist', '']) expect([nonsense, headings(nonsense)]).toEqual([nonsense, []])
})

test('addresses the readers of the service: no step of an operator, and its own addresses', () => {
  for (const [served, key] of [
    [site, `[API keys](${ORIGIN}/keys)`],
    [bareSite, 'which the operator of this service gives you'],
  ] as const) {
    const guides = served.files.filter(({ path }) => /\/docs\/guides\/[\w-]+(?:\.md)?$/.test(path))
    expect(guides.length).toBe(2 * GUIDES.length)
    for (const { path, content } of guides) {
      expect([path, String(content).match(/npm (?:start|ci|run)|subtext\.example\.org|<!-- only/)]).toEqual([
        path,
        null,
      ])
    }
    const quickStart = String(guides.find(({ path }) => path.endsWith('/quick-start.md'))?.content)
    expect(quickStart).toContain(key)
    expect(quickStart).toContain(`export API=${ORIGIN}/api/v1\n`)
  }
  expect(contentOf('/api/v1/docs/guides/mcp-cursor')).toContain(MCP_URL)
  expect(site.welcome.text).toContain(`Create an API key at ${ORIGIN}/keys`)
  for (const { text, html } of [site.welcome, bareSite.welcome]) expect(`${text}${html}`).not.toContain('npm')
})

test('the examples of the reference have the address of the service', () => {
  for (const path of ['/api/v1/docs', '/api/v1/docs/reference.md', '/llms-full.txt']) {
    expect([path, contentOf(path).match(/api\.example\.org/)]).toEqual([path, null])
  }
  expect(contentOf('/api/v1/docs')).toContain(`${ORIGIN}/api/v1/videos/status/`)
})

test('names no sample video where there is none', () => {
  const quickStart = bareSite.files.find(({ path }) => path.endsWith('/quick-start'))?.content
  expect(quickStart).toContain('watch?v=VIDEO_ID')
  expect(
    bareSite.files.filter(({ path, content }) => path.includes('/guides/') && /sbtx-/.test(String(content))),
  ).toEqual([])
  expect(contentOf('/api/v1/docs/guides/quick-start')).toContain('id="sample-videos"')
})

test('a part of a guide with an unknown condition is a mistake', () => {
  const service = { origin: ORIGIN, mcpUrl: MCP_URL, hasDashboard: true, hasSamples: true }
  const text = '<!-- only on Sundays -->\nClosed.\n<!-- end -->\n'
  expect(() => adaptToService(text, service)).toThrow('only on Sundays')
  expect(adaptToService(text.replace('on Sundays', 'in the repository'), service)).toBe('')
})

test('lists the sample videos with how they end, and starts with the first of them', () => {
  const overview = contentOf('/api/v1/docs')
  expect(overview).toContain(
    'watch?v=sbtx-en-map</code><br><span lang="en">A &lt;map&gt;</span></td><td>English</td><td>completes',
  )
  expect(overview).toContain('<td>a failure</td><td><code>VIDEO_UNAVAILABLE</code></td>')
  expect(site.welcome.text).toContain('watch?v=sbtx-en-map')
  expect(bareSite.welcome.text).not.toContain('sbtx-')
  expect(bareSite.files.find(({ path }) => path === '/api/v1/docs')?.content).not.toContain('Sample videos')
})

test('leads back to the dashboard where there is one', () => {
  const link = '<a href="/">Dashboard</a>'
  for (const path of ['/api/v1/docs', '/api/v1/docs/guides/quick-start']) expect(contentOf(path)).toContain(link)
  for (const { content } of bareSite.files) expect(String(content)).not.toContain(link)
})

test('has the icon and the accent of the dashboard', () => {
  const dashboard = new URL('apps/dashboard/', ROOT)
  const icon = readFileSync(new URL('public/favicon.svg', dashboard), 'utf8')
  expect(site.files.find(({ path }) => path.includes('/icon.'))?.content).toBe(icon)
  const accents = [...readFileSync(new URL('src/styles.css', dashboard), 'utf8').matchAll(/--accent: (#\w+)/g)]
  const css = String(site.files.find(({ path }) => path.endsWith('.css'))?.content)
  expect(css).toContain(`--accent: light-dark(${accents.map(([, color]) => color).join(', ')})`)
})

test('lets other work run while it is built', async () => {
  let turns = 0
  let isBuilt = false
  const countTurns = () => {
    turns++
    if (!isBuilt) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const openApi = buildOpenApi(Object.values(videos), ORIGIN)
  await buildSite({ openApi, origin: ORIGIN, mcpUrl: MCP_URL, samples: [], hasDashboard: false })
  isBuilt = true
  expect(turns).toBeGreaterThan(GUIDES.length)
})

test('writes no address of a file without a hash, and no other origin that is loaded', () => {
  for (const { path, content } of site.files.filter(({ mediaType }) => mediaType === 'text/html')) {
    const loaded = [...String(content).matchAll(/<(?:script|img|link)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(
      ([, url = '']) => url,
    )
    for (const url of loaded.filter((each) => !each.endsWith('.md'))) {
      expect([path, url]).toEqual([path, expect.stringMatching(/^\/api\/v1\/docs\/assets\/[\w-]+\.[0-9a-f]{16}\.\w+$/)])
    }
  }
  const loading = site.files.filter(({ path, isImmutable }) => isImmutable && !/\.(?:json|png)$/.test(path))
  expect(loading.length).toBeGreaterThan(4)
  for (const { path, content } of loading) {
    expect([path, String(content).match(/url\(|@import|https?:\/\/(?!www\.w3\.org)/)]).toEqual([path, null])
  }
})

test('shows the pictures of the guides in their size, with what they show in words', () => {
  const images = site.files.filter(({ mediaType }) => mediaType === 'image/png')
  expect(images.length).toBeGreaterThanOrEqual(3)
  const html = contentOf('/api/v1/docs/guides/infographics')
  const shown = [...html.matchAll(/<img src="([^"]+)" alt="[^"]{20,}" width="\d+" height="\d+" loading="lazy">/g)]
  expect(shown.length).toBeGreaterThanOrEqual(3)
  for (const [, path] of shown) expect(images.map((image) => image.path)).toContain(path)
  expect(contentOf('/api/v1/docs/guides/infographics.md')).toContain(`](${shown[0]?.[1]})`)
})

test('the README stays short, and names the ports, the folder of the data and the file of the settings', () => {
  const readme = readFileSync(new URL('README.md', ROOT), 'utf8')
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(600)
  for (const name of ['3000 (`PORT`)', '3001 for MCP (`MCP_PORT`)', '`.data/`', '`SUBTEXT_DATA_DIR`', '`.env`']) {
    expect(readme).toContain(name)
  }
})
