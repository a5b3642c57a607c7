import { ERROR_CODES } from '@subtext/contracts'
import supertest from 'supertest'
import { openTestApi, type TestApi } from '../test-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

test('the page has the place that docs_url of every error points to', async () => {
  const { body } = await supertest(api.app).get('/api/v1/nothing-here')
  expect(body.error.docs_url).toMatch(/\/api\/v1\/docs#error-NOT_FOUND$/)
  const { status, text, headers } = await supertest(api.app).get('/api/v1/docs')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const code of ERROR_CODES) expect(text).toContain(`id="error-${code}"`)
  expect(text).toContain('id="deprecations"')
  expect(text).not.toMatch(/(?:src|href)="https?:/)
})

test('/docs leads there', async () => {
  const { status, headers } = await supertest(api.app).get('/docs')
  expect([status, headers.location]).toEqual([308, '/api/v1/docs'])
})
