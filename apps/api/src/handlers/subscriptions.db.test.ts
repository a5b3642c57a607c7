import { setPlan } from '@subtext/core/testing'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'
import { createOAuthTester } from '../testing/oauth.ts'
import { createTestSession } from '../testing/sessions.ts'
import { newTestChannel, severalVideos, useTestSources } from '../testing/sources.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
const { list } = useTestSources(api)
const oauth = createOAuthTester(api)

type Method = 'get' | 'post' | 'patch' | 'delete'
const send = (by: string, method: Method, path: string) =>
  supertest(api.app)[method](`/api/v1${path}`).set('Authorization', `Bearer ${by}`)

let key: string
beforeEach(async () => {
  key = await api.createKey()
})

const newSource = () => list(key, newTestChannel(), { videos: severalVideos(2) })
const follow = async (more: object = {}, by = key) =>
  send(by, 'post', '/subscriptions').send({ source_id: await newSource(), action: 'process', ...more })

describe('subscriptions', () => {
  test('are created with all settings, changed, listed and ended', async () => {
    const settings = {
      options: { summary_modes: ['key_insights'] },
      priority: 'high',
      filter: { types: ['video'], min_duration_seconds: 60 },
      match: { any: ['river'] },
      catch_up: 3,
      max_per_day: 5,
      deliver: { webhook_url: 'https://hooks.example.org/x', format: 'slack', email: 'weekly' },
    }
    const { status, body, headers } = await follow(settings)
    expect([status, headers.location]).toEqual([201, `/api/v1/subscriptions/${body.data.subscription_id}`])
    expect(body.data).toMatchObject({ ...settings, action: 'process', status: 'active' })
    const path = `/subscriptions/${body.data.subscription_id}`
    expect((await send(key, 'get', path)).body.data).toEqual(body.data)
    const changed = await send(key, 'patch', path).send({ max_per_day: null, filter: null, action: 'process' })
    const { max_per_day, filter, updated_at, ...kept } = body.data
    expect(changed.body.data).toMatchObject(kept)
    expect(changed.body.data.max_per_day ?? changed.body.data.filter).toBeUndefined()
    expect((await send(key, 'get', '/subscriptions/')).body.data).toMatchObject({
      subscriptions: [{ subscription_id: body.data.subscription_id }],
      pagination: { total: 1 },
    })
    expect(await send(key, 'delete', `/sources/${body.data.source_id}`)).toBeRefused(409, 'SOURCE_IN_USE')
    expect((await send(key, 'delete', path)).status).toBe(204)
    expect(await send(key, 'get', path)).toBeRefused(404, 'NOT_FOUND')
    expect((await send(key, 'delete', `/sources/${body.data.source_id}`)).status).toBe(204)
  })

  test('pause and resume, and are looked at on request', async () => {
    const { body } = await follow()
    const path = `/subscriptions/${body.data.subscription_id}`
    const paused = await send(key, 'post', `${path}/pause`)
    expect([paused.status, paused.body.data.status, paused.body.data.reason]).toEqual([200, 'paused', 'requested'])
    const resumed = await send(key, 'post', `${path}/resume`)
    expect([resumed.status, resumed.body.data.status, resumed.body.data.reason]).toEqual([200, 'active', undefined])
    expect((await send(key, 'post', `${path}/check`)).status).toBe(202)
    expect((await send(key, 'get', `${path}/items`)).body.data.items).toEqual([])
    expect((await send(key, 'get', `${path}/checks`)).body.data.checks).toEqual([])
    expect(await send(key, 'post', `${path}/items/v0000000001/retry`)).toBeRefused(404, 'NOT_FOUND')
  })

  test.each([
    [{ source_id: undefined }, 'source_id'],
    [{ url: '@somebody' }, 'url'],
    [{ action: 'notify', match: { any: ['x'] } }, 'match'],
    [{ match: { any: [] } }, 'match.any'],
    [{ filter: { min_duration_seconds: 9, max_duration_seconds: 8 } }, 'filter.max_duration_seconds'],
    [{ catch_up: 21 }, 'catch_up'],
    [{ max_per_day: 0 }, 'max_per_day'],
    [{ deliver: { webhook_url: 'ftp://example.org' } }, 'deliver.webhook_url'],
    [{ deliver: { email: 'hourly' } }, 'deliver.email'],
    [{ deliver: { format: 'slack', email: 'daily' } }, 'deliver.webhook_url'],
    [{ surprise: 1 }, 'surprise'],
  ])('are refused with %j', async (more, path) => {
    expect(await follow(more)).toBeRefused(400, 'VALIDATION_ERROR', path)
  })

  test('belong to their account, and need the Pro plan', async () => {
    const { body } = await follow()
    const other = await api.createKey()
    for (const path of ['', '/items', '/checks']) {
      expect(await send(other, 'get', `/subscriptions/${body.data.subscription_id}${path}`)).toBeRefused(
        404,
        'NOT_FOUND',
      )
    }
    const plus = await api.createKey({ plan: 'plus' })
    const refused = await send(plus, 'post', '/subscriptions').send({ url: '@x', action: 'notify' })
    expect(refused).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
  })

  test('are paused from the moment on at which the plan no longer includes them', async () => {
    const { body } = await follow()
    const { rows } = await api.context.db.query<{ email: string }>(
      `SELECT u.email FROM users u JOIN subscriptions b ON b.user_id = u.id WHERE b.id = $1`,
      [body.data.subscription_id],
    )
    await setPlan(api.context, rows[0]?.email ?? '', 'plus')
    await waitUntil('the key to be of the new plan', async () => {
      const { data } = (await send(key, 'get', `/subscriptions/${body.data.subscription_id}`)).body
      return data.status === 'paused' && data.reason === 'plan'
    })
  })

  test('have a limit, and are created once under an idempotency key', async () => {
    const source_id = await newSource()
    const create = (idempotency: string) =>
      send(key, 'post', '/subscriptions').set('Idempotency-Key', idempotency).send({ source_id, action: 'notify' })
    const [first, second] = [await create('a'), await create('a')]
    expect(second.body.data.subscription_id).toBe(first.body.data.subscription_id)
    const all = await Promise.all(Array.from({ length: 51 }, (_, nth) => create(`n${nth}`)))
    const statuses = all.map(({ status }) => status).sort()
    expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([49, 409])
  })
})

describe('feeds', () => {
  const open = (url: string) => supertest(api.app).get(new URL(url).pathname)

  test('show the newest videos with summaries and moments, until they are ended', async () => {
    const jobId = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, jobId)
    const { status, body } = await send(key, 'post', '/feeds').send({ all: true, name: 'Mine & <yours>' })
    expect(status).toBe(201)
    const json = await open(body.data.url_json)
    expect([json.status, json.headers['content-type'], json.headers['x-robots-tag']]).toEqual([
      200,
      'application/feed+json',
      'noindex',
    ])
    expect(JSON.parse(json.text ?? json.body)).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Mine & <yours>',
      feed_url: body.data.url_json,
      items: [{ url: expect.stringContaining('https://'), content_html: expect.any(String) }],
    })
    const { etag = '' } = json.headers
    expect((await open(body.data.url_json).set('If-None-Match', etag)).status).toBe(304)
    const atom = await open(body.data.url_atom).buffer(true)
    expect(atom.headers['content-type']).toBe('application/atom+xml')
    expect((atom.text ?? String(atom.body)).includes('<title>Mine &amp; &lt;yours&gt;</title>')).toBe(true)
    const { rows } = await api.context.db.query<{ text: string }>('SELECT feeds::text AS text FROM feeds')
    expect(rows[0]?.text).not.toContain(new URL(body.data.url_json).pathname.split('/')[4])
    expect((await send(key, 'get', '/feeds/')).body.data.feeds).toMatchObject([
      { feed_id: body.data.feed_id, all: true },
    ])
    expect((await send(key, 'delete', `/feeds/${body.data.feed_id}`)).status).toBe(204)
    expect(await open(body.data.url_json)).toBeRefused(404, 'NOT_FOUND')
  })

  test('are about one thing, and have the same addresses under an idempotency key', async () => {
    expect(await send(key, 'post', '/feeds').send({})).toBeRefused(400, 'VALIDATION_ERROR', 'subscription_id')
    const { body } = await follow({ action: 'notify' })
    const { subscription_id, source_id } = body.data
    const create = () => send(key, 'post', '/feeds').set('Idempotency-Key', 'feed').send({ subscription_id })
    const [first, second] = [await create(), await create()]
    expect([second.status, second.body.data]).toEqual([201, first.body.data])
    const other = await api.createKey()
    expect(await send(other, 'post', '/feeds').send({ source_id })).toBeRefused(404, 'NOT_FOUND')
  })

  test('are shown only to a person who has signed in recently, and to no connected application', async () => {
    const create = (headers: Record<string, string>) =>
      supertest(api.app).post('/api/v1/feeds').set(headers).send({ all: true })
    const session = await createTestSession(api, { plan: 'pro', ageMs: 11 * 60_000 })
    expect(await create(session.headers)).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
    const { access_token } = await oauth.signIn()
    expect(await create({ Authorization: `Bearer ${access_token}` })).toBeRefused(403, 'SESSION_REQUIRED')
    expect((await create((await createTestSession(api, { plan: 'pro' })).headers)).status).toBe(201)
  })

  test('are kept after a downgrade, as everything that an account has, and cannot be read while it is suspended', async () => {
    const session = await createTestSession(api, { plan: 'pro' })
    const { body } = await supertest(api.app).post('/api/v1/feeds').set(session.headers).send({ all: true })
    const { url_json, url_atom } = body.data
    await setPlan(api.context, session.email, 'plus')
    for (const url of [url_json, url_atom]) expect((await open(url)).status).toBe(200)
    await api.context.db.query('UPDATE users SET suspended_at = now() WHERE id = $1', [session.userId])
    expect(await open(url_json)).toBeRefused(404, 'NOT_FOUND')
  })
})

test('the page that stops emails changes nothing until its button is pressed', async () => {
  const { body } = await follow({ deliver: { email: 'daily' } })
  const id = body.data.subscription_id
  const { rows } = await api.context.db.query<{ key: Buffer }>(
    'SELECT stop_key AS key FROM subscriptions WHERE id = $1',
    [id],
  )
  const path = `/emails/stop/${id}/${rows[0]?.key.toString('base64url')}`
  const emailOf = async () => (await send(key, 'get', `/subscriptions/${id}`)).body.data.deliver?.email
  const page = await supertest(api.app).get(path)
  expect([page.status, page.text.includes('<button'), await emailOf()]).toEqual([200, true, 'daily'])
  const wrong = path.slice(0, -3) + (path.endsWith('AAA') ? 'BBB' : 'AAA')
  expect((await supertest(api.app).post(wrong)).status).toBe(404)
  const stopped = await supertest(api.app).post(path).type('form').send('List-Unsubscribe=One-Click')
  expect([stopped.status, await emailOf()]).toEqual([200, undefined])
})
