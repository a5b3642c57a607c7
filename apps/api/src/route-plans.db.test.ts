import { API_PREFIX, PLAN_NAMES, type Plan, type RouteShape } from '@subtext/contracts'
import supertest from 'supertest'
import { ROUTES } from './routes.ts'
import { openTestApi, type TestApi } from './testing/api.ts'
import { acceptTestBatch, acceptTestJob, completeTestJob } from './testing/jobs.ts'
import { startTestWorker } from './testing/worker.ts'

const CALLERS = [...PLAN_NAMES, 'admin'] as const
type Caller = (typeof CALLERS)[number]

/** The least plan whose keys may use a route with the request below; every plan where none is named. */
const LEAST_PLAN: Record<string, Plan> = {
  // It asks for a mode that is not in `free`.
  submitVideo: 'plus',
  submitBatch: 'pro',
  getWebhookSecret: 'pro',
  rotateWebhookSecret: 'pro',
  listWebhookDeliveries: 'pro',
  getWebhookDelivery: 'pro',
  redeliverWebhook: 'pro',
  testWebhook: 'pro',
}

let api: TestApi
let stopWorker: () => Promise<void>
const keys = new Map<Caller, string>()
const ids = new Map<Caller, Record<string, string>>()

beforeAll(async () => {
  // Names of receivers are not looked up.
  api = await openTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  for (const caller of CALLERS) {
    const key = await api.createKey(caller === 'admin' ? { plan: 'free', scopes: ['admin'] } : { plan: caller })
    const job_id = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, job_id)
    const test = supertest(api.app).post(`${API_PREFIX}/webhooks/test`).set('X-API-Key', key)
    const { body } = await test.send({ url: 'https://hooks.example.org/subtext' })
    // Reading a batch needs no plan: an account keeps what it had.
    const batch_id = await acceptTestBatch(api.context, key)
    keys.set(caller, key)
    ids.set(caller, { job_id, batch_id, delivery_id: body.data?.delivery_id ?? job_id })
  }
  // Not before: it would take the jobs that are brought to an end here.
  stopWorker = startTestWorker(api.context)
})
afterAll(async () => {
  await stopWorker()
  await api.close()
})

const send = (route: RouteShape, caller: Caller) => {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => ids.get(caller)?.[name] ?? '')
  const request = supertest(api.app)
    [route.method](`${API_PREFIX}${path}`)
    .query(route.example?.query ?? {})
    .set('X-API-Key', keys.get(caller) ?? '')
  return route.example?.body === undefined ? request : request.send(route.example.body as object)
}

const includes = (caller: Caller, least: Plan | undefined): boolean =>
  caller === 'admin' || least === undefined || PLAN_NAMES.indexOf(caller) >= PLAN_NAMES.indexOf(least)

describe.each(ROUTES.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  test.each(CALLERS)('asked by a key of %s', async (caller) => {
    const response = await send(route, caller)
    const { code, details } = response.body.error ?? {}
    if (route.access === 'admin' && caller !== 'admin')
      expect([response.status, code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    else if (includes(caller, LEAST_PLAN[operationId]))
      expect([response.status, code]).toEqual([route.status, undefined])
    else {
      expect([response.status, code]).toEqual([403, 'PLAN_UPGRADE_REQUIRED'])
      expect(details).toMatchObject({ current_plan: caller, required_plan: LEAST_PLAN[operationId] })
    }
  })
})

test('the table above names nothing but routes', () => {
  const names = ROUTES.map((route) => route.operationId)
  expect(Object.keys(LEAST_PLAN).filter((name) => !names.includes(name))).toEqual([])
})
