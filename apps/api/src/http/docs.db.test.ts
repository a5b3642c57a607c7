import { API_PREFIX, ERROR_CODES, ERROR_HELP, ErrorEnvelope, ROUTES } from '@subtext/contracts'
import { SAMPLES } from '@subtext/sample-platform'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { VIDEO_URL } from '../testing/jobs.ts'

// The dashboard takes the root over.
const api = useTestApi({ DASHBOARD_ENABLED: 'false' })
/** Without the dashboard, nobody can sign in. */
const SERVED = ROUTES.filter(({ access }) => access !== 'session')

const DOCS = `${API_PREFIX}/docs`
const get = (path: string) => supertest(api.app).get(path).buffer(true)
const PAGES = ['', '/guides/quick-start', '/errors', '/deprecations', '/changelog'].map((page) => `${DOCS}${page}`)

/** Finds every address that a page loads. */
const findLoaded = (html: string): string[] =>
  [...html.matchAll(/<(?:script|img|link)\b[^>]*?(?:src|href)="([^"]*)"|data-index="([^"]*)"/g)].map(
    ([, loaded, index]) => loaded ?? index ?? '',
  )

/** Finds every address within the service that a page links to. */
const findLinks = (html: string): string[] =>
  [...html.matchAll(/<a\b[^>]*? href="(\/[^"]*)"/g)].map(([, href = '']) => href)

describe.each(PAGES)('%s', (page) => {
  test('loads only files of this service, and all of them exist', async () => {
    const { status, headers, text } = await get(page)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const loaded = [...new Set(findLoaded(text))]
    expect(loaded.length).toBeGreaterThan(5)
    for (const address of loaded) {
      expect(address).toMatch(/^\/api\/v1\//)
      expect([address, (await get(address)).status]).toEqual([address, 200])
    }
  })

  test('links only to pages that exist, and to headings that they have', async () => {
    const { text } = await get(page)
    const pages = new Map<string, string>()
    for (const link of new Set(findLinks(text))) {
      const [path = '', hash] = link.split('#')
      if (!pages.has(path)) {
        const target = await get(path)
        expect([link, target.status]).toEqual([link, 200])
        pages.set(path, target.text)
      }
      if (hash !== undefined) expect([link, pages.get(path)?.includes(` id="${hash}"`)]).toEqual([link, true])
    }
    expect(pages.size).toBeGreaterThan(8)
  })

  test('allows only files of and requests to its own origin, and nothing that is written into it', async () => {
    const { headers, text } = await get(page)
    const policy = Object.fromEntries(
      (headers['content-security-policy'] ?? '').split(';').map((rule) => [rule.trim().split(' ', 1)[0], rule.trim()]),
    )
    expect(policy).toEqual({
      'default-src': "default-src 'none'",
      'script-src': "script-src 'self'",
      'style-src': "style-src 'self'",
      'img-src': "img-src 'self'",
      'connect-src': "connect-src 'self'",
      'base-uri': "base-uri 'none'",
      'form-action': "form-action 'none'",
      'frame-ancestors': "frame-ancestors 'none'",
    })
    // With this policy none of it would have an effect.
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|<style|\sstyle=|javascript:/)
  })

  test('is sent again only when it has changed', async () => {
    const { headers } = await get(page)
    expect(headers['cache-control']).toBe('no-cache')
    const again = await get(page).set('If-None-Match', headers.etag ?? '')
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('refuses other methods', async () => {
    const response = await supertest(api.app).post(page)
    expect(response).toBeRefused(405, 'METHOD_NOT_ALLOWED')
    expect(response.headers.allow).toBe('GET, HEAD')
  })
})

test.each([
  ['docs', 'css', 'text/css'],
  ['page', 'js', 'text/javascript'],
  ['search', 'json', 'application/json'],
  ['icon', 'svg', 'image/svg+xml'],
])('the file %s.%s may be kept forever, since its address has a hash', async (name, extension, type) => {
  const { text } = await get(DOCS)
  const address = findLoaded(text).find((each) => new RegExp(`/${name}\\.[0-9a-f]{16}\\.${extension}$`).test(each))
  const { status, headers } = await get(address ?? '')
  expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers.etag).toMatch(/^W\/"/)
  expect((await get(address?.replace(/[0-9a-f]{16}/, '0'.repeat(16)) ?? '')).status).toBe(404)
})

test('the reference has every operation, and a form that sends its request', async () => {
  const { text } = await get(DOCS)
  for (const { method, path, operationId } of SERVED) {
    expect(text).toContain(`id="${operationId}"`)
    expect(text).toContain(`data-method="${method.toUpperCase()}" data-path="${API_PREFIX}${path}"`)
  }
  expect(text).toContain(`curl -s http://127.0.0.1:3000${API_PREFIX}/videos/process`)
})

test.each(['quick-start', 'webhooks'])('the guide %s is served as a page and as Markdown', async (name) => {
  const page = await get(`${DOCS}/guides/${name}`)
  expect(page.text).toContain(`href="${DOCS}/guides/${name}.md"`)
  const markdown = await get(`${DOCS}/guides/${name}.md`)
  expect([markdown.status, markdown.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
  expect(markdown.text).toMatch(/^# \w+/)
})

test.each(['/llms.txt', '/llms-full.txt'])('%s is plain text with absolute links', async (path) => {
  const { status, headers, text } = await get(path)
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toMatch(/^# /)
  const own = [...text.matchAll(/\((http:\/\/127\.0\.0\.1:3000[^)]*)\)/g)].map(([, url = '']) => new URL(url).pathname)
  for (const address of new Set(own)) expect([address, (await get(address)).status]).toEqual([address, 200])
  expect(await supertest(api.app).put(path)).toBeRefused(405, 'METHOD_NOT_ALLOWED')
})

test.each([
  '/guides/nothing',
  '/guides/../../../../package.json',
  '/assets/docs.css',
  '/assets/..%2f..%2fpackage.json',
  '/nothing',
])('responds NOT_FOUND in the envelope to %s', async (path) => {
  const response = await get(`${DOCS}${path}`)
  expect(response).toBeRefused(404, 'NOT_FOUND')
  ErrorEnvelope.parse(response.body)
})

test('docs_url of every error leads to a section with its cause and what to do', async () => {
  const { body } = await supertest(api.app).get(`${API_PREFIX}/nothing-here`)
  const address = new URL(body.error.docs_url)
  expect([address.pathname, address.hash]).toEqual([`${DOCS}/errors`, '#NOT_FOUND'])
  const { text } = await get(address.pathname)
  const sections = text.split(/(?=<h3 id=")/).map((section) => section.replace(/<[^>]*>/g, ''))
  for (const code of ERROR_CODES) {
    expect(text).toContain(`<h3 id="${code}">`)
    const section = sections.find((each) => each.startsWith(code))
    const shown = section?.replace(/&#?\w+;/g, '').replace(/\W+/g, '')
    const { cause, remedy } = ERROR_HELP[code]
    for (const words of [cause, remedy]) expect(shown).toContain(words.replace(/\W+/g, ''))
  }
})

test('the link for a deprecated field leads to an explanation', async () => {
  const { status, headers, body } = await supertest(api.app)
    .post(`${API_PREFIX}/videos/process`)
    .set('X-API-Key', await api.createKey())
    .send({ video_url: VIDEO_URL, summary_type: 'tldr' })
  expect([status, body.meta.warnings?.map((warning: { code: string }) => warning.code)]).toEqual([
    202,
    ['DEPRECATED_FIELD', 'DEPRECATED_FIELD'],
  ])
  // RFC 9745: a structured date, which may lie in the past.
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(new Date(Number(headers.deprecation?.slice(1)) * 1000).getTime()).toBeLessThan(Date.now())
  const [, target, parameters] = /^<([^>]+)>; (.*)$/.exec(headers.link ?? '') ?? []
  expect(parameters).toBe('rel="deprecation"; type="text/html"')
  const { status: found, text } = await get(new URL(target ?? '').pathname)
  expect(found).toBe(200)
  for (const field of ['video_url', 'summary_mode', 'summary_type']) expect(text).toContain(`<code>${field}</code>`)
})

test.each([
  ['a request beyond the plan', 403, { video_url: VIDEO_URL, summary_type: 'detailed' }],
  ['names that differ', 400, { video_url: VIDEO_URL, url: 'https://youtu.be/aaaaaaaaaaa' }],
])('the refusal of %s announces the deprecation, too', async (_, refused, body) => {
  const { status, headers } = await supertest(api.app)
    .post(`${API_PREFIX}/videos/process`)
    .set('X-API-Key', await api.createKey({ plan: 'free' }))
    .send(body)
  expect(status).toBe(refused)
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(headers.link).toContain('rel="deprecation"')
})

test('a request without older names gets no deprecation headers', async () => {
  const { headers } = await supertest(api.app)
    .post(`${API_PREFIX}/videos/process`)
    .set('X-API-Key', await api.createKey())
    .send({ url: VIDEO_URL })
  expect(headers).not.toHaveProperty('deprecation')
  expect(headers).not.toHaveProperty('link')
})

test.each(['/docs', `${DOCS}/guides`])('%s redirects to the entry', async (path) => {
  const { status, headers } = await get(path)
  expect([status, headers.location]).toEqual([308, DOCS])
})

describe('the root', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test('greets a browser with a page of next steps', async () => {
    const { status, headers, text } = await get('/').set('Accept', BROWSER)
    expect([status, headers['content-type'], headers.vary]).toEqual([
      200,
      'text/html; charset=utf-8',
      expect.stringContaining('Accept'),
    ])
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    for (const address of [...findLoaded(text), ...findLinks(text)]) {
      expect([address, (await get(address)).status]).toEqual([address, 200])
    }
    expect(text).toContain('create-key')
    expect(text).not.toContain('npm')
  })

  test('greets a terminal that asks for text with text', async () => {
    const { status, headers, text } = await get('/').set('Accept', 'text/plain')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toContain(`curl -s http://127.0.0.1:3000${API_PREFIX}/videos/process`)
    expect(text).not.toMatch(/<\w+>/)
  })

  test.each(['*/*', 'application/json'])('greets a program that accepts %s with the envelope', async (accept) => {
    const { status, body } = await supertest(api.app).get('/').set('Accept', accept)
    expect([status, body.success, body.data.name]).toEqual([200, true, 'Subtext'])
    expect(body.data.links.map(({ url }: { url: string }) => new URL(url).pathname)).toContain(DOCS)
  })

  test('refuses other media types and methods', async () => {
    expect(await supertest(api.app).get('/').set('Accept', 'image/png')).toBeRefused(406, 'NOT_ACCEPTABLE')
    expect(await supertest(api.app).post('/')).toBeRefused(405, 'METHOD_NOT_ALLOWED')
  })
})

describe(API_PREFIX, () => {
  test('lists every operation by resource, with or without a key', async () => {
    for (const path of [API_PREFIX, `${API_PREFIX}/`]) {
      const { status, body } = await supertest(api.app).get(path)
      expect([path, status, body.success]).toEqual([path, 200, true])
      const resources = body.data.resources as { operations: { operation_id: string; url: string }[] }[]
      const operations = resources.flatMap((resource) => resource.operations)
      expect(operations.map(({ operation_id }) => operation_id).sort()).toEqual(
        SERVED.map(({ operationId }) => operationId).sort(),
      )
      for (const { url } of operations) expect(url.startsWith(`http://127.0.0.1:3000${API_PREFIX}/`)).toBe(true)
      for (const url of Object.values<string>(body.data.documentation)) {
        expect([url, (await get(new URL(url).pathname)).status]).toEqual([url, 200])
      }
    }
    const withBadKey = await supertest(api.app).get(API_PREFIX).set('X-API-Key', 'nonsense')
    expect(withBadKey.status).toBe(200)
  })

  test('refuses other methods and unknown parameters', async () => {
    expect(await supertest(api.app).post(API_PREFIX)).toBeRefused(405, 'METHOD_NOT_ALLOWED')
    expect(await supertest(api.app).get(`${API_PREFIX}?x=1`)).toBeRefused(400, 'VALIDATION_ERROR', 'query.x')
  })
})

describe('the sample videos', () => {
  test('are listed with what they show and how they end', async () => {
    const { text } = await get(DOCS)
    for (const { id, error } of SAMPLES) {
      const row = text.split(`watch?v=${id}<`)[1]?.split('</tr>')[0]
      expect(row).toContain(error ? `<code>${error.code}</code>` : 'completes')
    }
    expect(text).toContain('The Woman Who Drew the Ocean Floor')
    expect((await get('/')).text).toContain('watch?v=sbtx-en-map')
  })

  test('are not mentioned where they are switched off', async () => {
    const { app, close } = api.openBeside({ SAMPLE_VIDEOS: 'false' })
    for (const path of [DOCS, '/']) {
      const { status, text } = await supertest(app).get(path)
      expect([path, status, text.includes('sbtx-')]).toEqual([path, 200, false])
    }
    await close()
  })
})
