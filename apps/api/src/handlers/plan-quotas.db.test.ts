import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { VIDEO_URL } from '../testing/jobs.ts'

const api = useTestApi({ PLAN_QUOTAS: 'free:2/5,pro:off', DASHBOARD_ENABLED: 'false' })

const post = (path: string, body: object, key: string) =>
  supertest(api.app).post(`/api/v1${path}`).set('X-API-Key', key).send(body)
const quotasOf = async (key: string) =>
  (await supertest(api.app).get('/api/v1/usage/current').set('X-API-Key', key)).body.data.quotas

describe('with quotas of the installation', () => {
  test('a plan has the quota that the setting names, in submissions, errors, estimates and usage', async () => {
    const key = await api.createKey({ plan: 'free' })
    for (let video = 0; video < 2; video++)
      expect((await post('/videos/process', { url: VIDEO_URL }, key)).status).toBe(202)
    const refused = await post('/videos/process', { url: VIDEO_URL }, key)
    expect(refused).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(refused.body.error.details).toMatchObject({ quota: 'daily', limit: 2, used: 2 })
    const { data } = (await post('/videos/estimate', { url: VIDEO_URL }, key)).body
    expect(data).toMatchObject({ would_accept: false, quota: { uses: 1, daily_remaining: 0, monthly_remaining: 3 } })
    expect(await quotasOf(key)).toMatchObject({
      daily: { limit: 2, used: 2, remaining: 0 },
      monthly: { limit: 5, used: 2, remaining: 3 },
    })
  })

  test('a plan whose quota is off has no limit, for batches as well', async () => {
    const key = await api.createKey()
    const videos = Array.from({ length: 60 }, () => ({ url: VIDEO_URL }))
    expect((await post('/batch/process', { videos }, key)).status).toBe(202)
    const { data } = (await post('/batch/estimate', { videos }, key)).body
    expect(data).toMatchObject({
      would_accept: true,
      quota: { uses: 0, daily_remaining: null, monthly_remaining: null },
    })
    const unlimited = { limit: null, used: 0, remaining: null }
    expect(await quotasOf(key)).toMatchObject({ daily: unlimited, monthly: unlimited })
  })

  test('a plan that the setting does not name keeps its quota', async () => {
    const key = await api.createKey({ plan: 'plus' })
    expect(await quotasOf(key)).toMatchObject({ daily: { limit: 10 }, monthly: { limit: 50 } })
  })

  test('the guides show them', async () => {
    const { text } = await supertest(api.app).get('/api/v1/docs/guides/limits.md').buffer(true)
    expect(text).toContain('| `free` | 2 | 5 |')
    expect(text).toContain('| `plus` | 10 | 50 |')
    expect(text).toContain('| `pro` | unlimited | unlimited |')
  })
})
