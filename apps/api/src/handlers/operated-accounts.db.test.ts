import { randomUUID } from 'node:crypto'
import { API_PREFIX, type ErrorCode, operatedAccounts } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, VIDEO_URL } from '../testing/jobs.ts'
import { createOperatorTester, type Method } from '../testing/operators.ts'

const api = useTestApi()
const { send, openOperator, createAccount, withKey, readActions } = createOperatorTester(api)

describe('only operators', () => {
  test.each(Object.values(operatedAccounts).map((route) => [route.method, route.path] as [Method, string]))(
    'may use %s %s',
    async (method, template) => {
      const { owner, key } = await createAccount()
      const path = template.replace('/operations', '').replace('{account_id}', owner.userId)
      const body = method === 'get' ? undefined : { confirm: owner.email }
      expect(await send(owner, method, path, body)).toBeRefused(403, 'INSUFFICIENT_SCOPE')
      const admin = await api.createKey({ scopes: ['admin'] })
      for (const sent of [key, admin]) {
        const refused = supertest(api.app)[method](`${API_PREFIX}/operations${path}`).set('X-API-Key', sent).send(body)
        expect(await refused).toBeRefused(403, 'SESSION_REQUIRED')
      }
      expect(await supertest(api.app)[method](`${API_PREFIX}/operations${path}`).send(body)).toBeRefused(
        401,
        'UNAUTHORIZED',
      )
      const operator = await openOperator()
      if (method !== 'get') {
        const elsewhere = { headers: { ...operator.headers, Origin: 'https://elsewhere.example' } }
        expect(await send(elsewhere, method, path, body)).toBeRefused(403, 'FORBIDDEN_ORIGIN')
      }
      expect((await withKey(key)).status).toBe(200)
    },
  )

  test.each(['delete', 'post'] as const)(
    'who have just signed in may %s an account or a link for support',
    async (method) => {
      const { owner, path } = await createAccount()
      const operator = await openOperator({ ageMs: 11 * 60_000 })
      const target = method === 'post' ? `${path}/sign-in-link` : path
      const refused = await send(operator, method, target, method === 'post' ? {} : { confirm: owner.email })
      expect(refused).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
    },
  )
})

test('an account that is unknown, malformed or deleted is not found', async () => {
  const operator = await openOperator()
  const { owner, path } = await createAccount()
  await supertest(api.app).delete(`${API_PREFIX}/account`).set(owner.headers).send({ confirm: owner.email })
  for (const each of [path, `/accounts/${randomUUID()}`, '/accounts/x']) {
    expect(await send(operator, 'get', each)).toBeRefused(404, 'NOT_FOUND')
    expect(await send(operator, 'patch', each, { plan: 'plus' })).toBeRefused(404, 'NOT_FOUND')
    expect(await send(operator, 'post', `${each}/suspend`, {})).toBeRefused(404, 'NOT_FOUND')
  }
})

test('operators can neither suspend nor delete themselves, however they write their ID', async () => {
  const operator = await openOperator()
  for (const id of [operator.userId, operator.userId.toUpperCase()]) {
    expect(await send(operator, 'post', `/accounts/${id}/suspend`, {})).toBeRefused(400, 'VALIDATION_ERROR')
    const confirm = { confirm: operator.email }
    expect(await send(operator, 'delete', `/accounts/${id}`, confirm)).toBeRefused(400, 'VALIDATION_ERROR')
  }
  expect((await send(operator, 'get', `/accounts/${operator.userId}`)).status).toBe(200)
})

describe('plan and quotas', () => {
  test('take effect within a second, and are recorded', async () => {
    const operator = await openOperator()
    const { owner, key, path } = await createAccount()
    const before = (await send(operator, 'get', path)).body.data
    expect(before).toMatchObject({ plan: 'pro', own_quotas: { daily: null, monthly: null }, sessions: 1 })
    const changed = await send(operator, 'patch', path, { plan: 'plus', quotas: { daily: 1 } })
    expect(changed.body.data).toMatchObject({
      plan: 'plus',
      own_quotas: { daily: 1, monthly: null },
      quotas: { daily: { limit: 1 }, monthly: { limit: 50 } },
    })
    await waitUntil('the new quota applies', async () => (await withKey(key)).body.data.quotas.daily.limit === 1)
    const submit = () =>
      supertest(api.app).post(`${API_PREFIX}/videos/process`).set('X-API-Key', key).send({ url: VIDEO_URL })
    expect((await submit()).status).toBe(202)
    expect(await submit()).toBeRefused(429, 'QUOTA_EXCEEDED')
    const seen = await supertest(api.app).get(`${API_PREFIX}/account`).set(owner.headers)
    expect(seen.body.data.quotas.daily).toMatchObject({ limit: 1, used: 1 })
    const back = await send(operator, 'patch', path, { quotas: { daily: null } })
    expect(back.body.data.quotas.daily.limit).toBe(10)
    await send(operator, 'patch', path, { plan: 'plus' })
    expect(await readActions(operator, owner.userId)).toMatchObject([
      { action: 'change_account', details: { daily: { from: 1, to: null } } },
      {
        action: 'change_account',
        operator_email: operator.email,
        command_by: null,
        account_email: owner.email,
        details: { plan: { from: 'pro', to: 'plus' }, daily: { from: null, to: 1 } },
      },
    ])
  })

  test.each([
    { plan: 'gold' },
    { quotas: { daily: -1 } },
    { quotas: { daily: 1.5 } },
    { quotas: { weekly: 1 } },
    { x: 1 },
  ])('refuses %j', async (body) => {
    const { path } = await createAccount()
    expect(await send(await openOperator(), 'patch', path, body)).toBeRefused(400, 'VALIDATION_ERROR')
  })
})

describe('deletion', () => {
  test('is recorded once, however many operators delete the account at the same time', async () => {
    const operator = await openOperator()
    const { owner, path } = await createAccount()
    const remove = () => send(operator, 'delete', path, { confirm: owner.email })
    const answers = await Promise.all(Array.from({ length: 6 }, remove))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404])
    expect(await readActions(operator, owner.userId)).toMatchObject([{ action: 'delete_account' }])
  })

  test('needs the address of the account, and leaves a record without personal data', async () => {
    const operator = await openOperator()
    const { owner, key, path } = await createAccount()
    await acceptTestJob(api.context, key)
    await send(operator, 'post', `${path}/suspend`, { reason: `Spam by ${owner.email}` })
    expect(await send(operator, 'delete', path, { confirm: 'other@example.org' })).toBeRefused(
      400,
      'VALIDATION_ERROR',
      'confirm',
    )
    const deleted = await send(operator, 'delete', path, { confirm: owner.email.toUpperCase() })
    expect(deleted.body.data).toEqual({ deleted: true })
    expect(await send(operator, 'get', path)).toBeRefused(404, 'NOT_FOUND')
    await waitUntil('the key is refused', async () => (await withKey(key)).status === 401)
    const { rows } = await api.context.db.query('SELECT FROM jobs WHERE user_id = $1', [owner.userId])
    expect(rows).toEqual([])
    const actions = await readActions(operator, owner.userId)
    expect(actions).toMatchObject([
      { action: 'delete_account', operator_email: operator.email, account_id: owner.userId, account_email: null },
      { action: 'suspend_account', details: {} },
    ])
    expect(JSON.stringify(actions)).not.toContain(owner.email)
  })
})

describe('a link for support', () => {
  test('shows the account without the rights of its owner, and is recorded', async () => {
    const operator = await openOperator()
    const { owner, path } = await createAccount()
    const created = await send(operator, 'post', `${path}/sign-in-link`, { reason: 'Ticket 4711' })
    expect(created.status).toBe(201)
    const { url, expires_at } = created.body.data
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    const { pathname, search } = new URL(url)
    const page = await supertest(api.app).get(`${pathname}${search}`)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(owner.email)])
    const used = await supertest(api.app).post(`${pathname}${search}`).set('Origin', owner.headers.Origin)
    expect([used.status, used.headers.location]).toEqual([303, '/'])
    const cookies = used.get('Set-Cookie') ?? []
    const Cookie = cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')
    const headers = { Cookie, Origin: owner.headers.Origin }
    const account = await supertest(api.app).get(`${API_PREFIX}/account`).set(headers)
    expect(account.body.data).toMatchObject({
      user: { email: owner.email },
      session: { support: true },
      operator: false,
    })
    for (const [method, target, body, code] of [
      ['post', '/account/keys', { name: 'x' }, 'SESSION_REQUIRED'],
      ['patch', '/account', { name: 'x' }, 'SESSION_REQUIRED'],
      ['post', '/videos/process', { url: VIDEO_URL }, 'INSUFFICIENT_SCOPE'],
      ['delete', '/account', { confirm: owner.email }, 'SESSION_REQUIRED'],
      ['post', '/webhooks/secret/rotate', undefined, 'INSUFFICIENT_SCOPE'],
    ] as [Method, string, object | undefined, ErrorCode][]) {
      const refused = await supertest(api.app)[method](`${API_PREFIX}${target}`).set(headers).send(body)
      expect(refused).toBeRefused(403, code)
    }
    const sessions = await supertest(api.app).get(`${API_PREFIX}/account/sessions`).set(owner.headers)
    expect(sessions.body.data.sessions.map(({ support }: { support: boolean }) => support)).toEqual([true, false])
    const again = await supertest(api.app).post(`${pathname}${search}`).set('Origin', owner.headers.Origin)
    expect(again.headers.location).toMatch(/error=INVALID_TOKEN/)
    expect(await readActions(operator, owner.userId)).toMatchObject([
      { action: 'create_support_link', operator_id: operator.userId, details: { reason: 'Ticket 4711' } },
    ])
    const exported = await supertest(api.app).get(`${API_PREFIX}/account/export`).set(owner.headers)
    expect(exported.status).toBe(200)
  })
})

test('what operators did is listed page by page', async () => {
  const operator = await openOperator()
  const { path } = await createAccount()
  for (const daily of [1, 2, 3]) await send(operator, 'patch', path, { quotas: { daily } })
  const seen: string[] = []
  let query = '?limit=2'
  for (;;) {
    const { actions, pagination } = (await send(operator, 'get', `/actions${query}`)).body.data
    seen.push(...actions.map(({ id }: { id: string }) => id))
    if (!pagination.has_more) {
      expect(pagination.total).toBe(seen.length)
      break
    }
    query = `?limit=2&cursor=${pagination.next_cursor}`
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThanOrEqual(3)
})
