import { API_PREFIX, ERROR_CODES, ERROR_HELP } from '@subtext/contracts'
import { SAMPLES } from '@subtext/sample-platform'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { VIDEO_URL } from '../testing/jobs.ts'

const api = useTestApi()

const get = (path: string) => supertest(api.app).get(path)
const PAGES = ['', '/errors', '/deprecations'].map((page) => `${API_PREFIX}/docs${page}`)

/** Finds every address that a page or a style sheet loads or links to. */
const findAddresses = (text: string): string[] =>
  [...text.matchAll(/(?:src|href|action)="([^"]*)"|url\(["']?([^"')]*)/g)].map(
    ([, attribute, url]) => attribute ?? url ?? '',
  )

describe.each(PAGES)('%s', (page) => {
  test('loads nothing from other origins', async () => {
    const { status, headers, text } = await get(page)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const addresses = findAddresses(text)
    expect(addresses.length).toBeGreaterThan(4)
    for (const address of addresses.filter((each) => !each.startsWith('data:'))) {
      expect(address).toMatch(/^\/api\/v1\//)
      expect([address, (await get(address)).status]).toEqual([address, 200])
    }
  })

  test('allows only scripts from and requests to its own origin', async () => {
    const { headers, text } = await get(page)
    const policy = Object.fromEntries(
      (headers['content-security-policy'] ?? '').split('; ').map((rule) => [rule.split(' ', 1)[0], rule]),
    )
    expect(policy).toMatchObject({
      'default-src': "default-src 'none'",
      'script-src': "script-src 'self'",
      'connect-src': "connect-src 'self'",
      'img-src': "img-src 'self' data:",
      'frame-ancestors': "frame-ancestors 'none'",
    })
    expect(JSON.stringify(policy)).not.toMatch(/https?:|\*|unsafe-eval/)
    // With this policy an inline script would not run.
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|<style/)
  })

  test('refuses other methods', async () => {
    const response = await supertest(api.app).post(page)
    expect(response).toBeRefused(405, 'METHOD_NOT_ALLOWED')
    expect(response.headers.allow).toBe('GET, HEAD')
  })
})

describe('the files of the interactive page', () => {
  const fetchFile = (name: string) => get(`${API_PREFIX}/docs/assets/${name}`).buffer(true)

  test.each([
    ['swagger-ui-bundle.js', 'text/javascript'],
    ['swagger-ui.css', 'text/css'],
    ['operations.js', 'text/javascript'],
    ['pages.css', 'text/css'],
  ])('%s can be cached and revalidated with its ETag', async (name, type) => {
    const { status, headers } = await fetchFile(name)
    expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
    expect(headers['cache-control']).toBe('public, max-age=86400')
    const again = await fetchFile(name).set('If-None-Match', headers.etag ?? '')
    expect([again.status, again.headers.etag]).toEqual([304, headers.etag])
  })

  test('style sheets contain their images', async () => {
    for (const name of ['swagger-ui.css', 'pages.css']) {
      const { text } = await fetchFile(name)
      expect(text).not.toContain('@import')
      for (const address of findAddresses(text)) expect(address).toMatch(/^(?:data:|#)/)
    }
  })

  test('the script loads our document, contacts no other address, and uses no validator', async () => {
    const { text } = await fetchFile('operations.js')
    expect(text).toContain(`fetch('${API_PREFIX}/openapi.json')`)
    expect(text).toContain('validatorUrl: null')
    expect(text).toContain('persistAuthorization: false')
    expect(text).not.toMatch(/https?:/)
  })

  test('no other files of the package are served', async () => {
    for (const name of ['package.json', 'index.html', 'swagger-ui-bundle.js.map', '..%2f..%2fpackage.json', '']) {
      expect([name, (await fetchFile(name)).status]).toEqual([name, 404])
    }
  })
})

test('docs_url of every error links to an explanation of its code', async () => {
  const { body } = await get(`${API_PREFIX}/nothing-here`)
  const address = new URL(body.error.docs_url)
  expect([address.pathname, address.hash]).toEqual([`${API_PREFIX}/docs/errors`, '#NOT_FOUND'])
  const { text } = await get(address.pathname)
  const shown = (markdown: string): string =>
    markdown.replaceAll('"', '&quot;').replace(/`([^`]+)`/g, '<code>$1</code>')
  for (const code of ERROR_CODES) {
    const row = text.split(`id="${code}"`)[1]?.split('</tr>')[0]
    expect(row).toContain(shown(ERROR_HELP[code].cause))
    expect(row).toContain(shown(ERROR_HELP[code].remedy))
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

test('/docs redirects to the operations', async () => {
  const { status, headers } = await get('/docs')
  expect([status, headers.location]).toEqual([308, `${API_PREFIX}/docs`])
})

describe('the sample videos', () => {
  test('are listed with what they show and how they end', async () => {
    const { text } = await get(`${API_PREFIX}/docs`)
    for (const { id, error } of SAMPLES) {
      const row = text.split(`watch?v=${id}<`)[1]?.split('</tr>')[0]
      expect(row).toContain(error ? `<code>${error.code}</code>` : 'completes')
    }
    expect(text).toContain('The Woman Who Drew the Ocean Floor')
  })

  test('are not mentioned where they are switched off', async () => {
    const { app, close } = api.openBeside({ SAMPLE_VIDEOS: 'false' })
    const { status, text } = await supertest(app).get(`${API_PREFIX}/docs`)
    expect([status, text.includes('sbtx-')]).toEqual([200, false])
    await close()
  })
})
