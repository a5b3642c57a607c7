import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'

const LIMIT = 20
const api = useTestApi({ RATE_LIMIT_ADDRESS: String(LIMIT) })
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = (path: string, accept = BROWSER) => supertest(api.app).get(path).set('Accept', accept)

test.each(['/', '/jobs', '/jobs/0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11', '/sign-in?next=%2Fkeys'])(
  'serves the dashboard at %s to browsers',
  async (path) => {
    const { status, headers, text } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('<div id="root">')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/)
  },
)

test('serves every file that the page loads, under a name that never changes its content', async () => {
  const { text } = await get('/')
  const loaded = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => String(path))
  expect(loaded.length).toBeGreaterThan(1)
  for (const path of loaded) {
    const { status, headers } = await get(path, '*/*')
    expect([path, status, headers['cache-control']]).toEqual([path, 200, 'public, max-age=31536000, immutable'])
    const again = await get(path, '*/*').set('If-None-Match', String(headers.etag))
    expect(again.status).toBe(304)
  }
})

test('sends the same file to browsers with and without brotli, and to caches as different ones', async () => {
  const { text } = await get('/')
  const [, path = ''] = /src="(\/assets\/[^"]+)"/.exec(text) ?? []
  const read = (encodings: string) => get(path, '*/*').set('Accept-Encoding', encodings).responseType('arraybuffer')
  const plain = await read('identity')
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
  for (const encodings of ['gzip, deflate, br', 'br']) {
    for (const { headers, body } of await Promise.all([read(encodings), read(encodings)])) {
      expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'Accept-Encoding'])
      expect(headers.etag).toBe(plain.headers.etag)
      // The client has decompressed it.
      expect(body.equals(plain.body)).toBe(true)
    }
  }
  expect((await read('gzip')).headers['content-encoding']).toBe('gzip')
  expect((await read('br;q=0')).headers['content-encoding']).toBeUndefined()
})

test.each(['/api/v1/nothing', '/api/none', '/health/none', '/llms-none.txt'])(
  'does not serve the dashboard at %s',
  async (path) => {
    expect((await get(path)).headers['content-type']).toContain('application/json')
  },
)

test.each(['*/*', 'text/html', 'text/*'])('serves pages to callers that accept %s', async (accept) => {
  const { status, headers } = await get('/sign-in', accept)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
})

test.each(['/assets/index-none.js', '/assets/none', '/assets/fonts/none.woff2', '/robots-none.txt'])(
  'serves no page in the place of the file %s, which does not exist',
  async (path) => {
    for (const accept of [BROWSER, '*/*']) expect([path, (await get(path, accept)).status]).toEqual([path, 404])
  },
)

test('leaves programs and other methods to the API', async () => {
  for (const accept of ['application/json', 'application/json, text/plain, */*']) {
    expect((await get('/jobs', accept)).status).toBe(404)
  }
  expect((await get('/', '*/*')).headers['content-type']).toBe('application/json; charset=utf-8')
  expect((await supertest(api.app).post('/jobs').set('Accept', BROWSER)).status).toBe(404)
})

test('serves no file outside of its folder', async () => {
  for (const path of ['/../package.json', '/assets/../../package.json', '/%2e%2e/package.json']) {
    expect([path, (await get(path, '*/*')).status]).toEqual([path, 404])
  }
})

test('counts neither pages nor files toward the limit of an address, which an office shares', async () => {
  for (let load = 0; load <= LIMIT; load++) expect((await get('/sign-in')).status).toBe(200)
  const { status, headers } = await get('/api/v1', 'application/json')
  expect([status, Number(headers['x-ratelimit-used']) <= LIMIT]).toEqual([200, true])
})
