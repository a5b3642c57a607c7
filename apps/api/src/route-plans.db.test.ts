import { API_PREFIX, PLAN_NAMES, type Plan, ROUTES, type RouteShape } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from './testing/api.ts'
import { addTestConversation, addTestDigest } from './testing/chats.ts'
import { acceptTestBatch, acceptTestJob, addTestInfographic, completeTestJob } from './testing/jobs.ts'
import { newTestList, severalVideos, useTestSources } from './testing/sources.ts'
import { addTestSubscription } from './testing/subscriptions.ts'
import { startTestWorker } from './testing/worker.ts'

const CALLERS = [...PLAN_NAMES, 'admin'] as const
type Caller = (typeof CALLERS)[number]

/** The lowest plan whose keys may use a route with its example request. Routes that are not listed are open to every plan. */
const LOWEST_PLAN: Record<string, Plan> = {
  // Its example requests a mode that `free` does not include.
  submitVideo: 'plus',
  // Its example requests an infographic, which `free` does not include.
  deriveJob: 'plus',
  submitBatch: 'pro',
  askQuestion: 'pro',
  createSubscription: 'pro',
  resumeSubscription: 'pro',
  checkSubscription: 'pro',
  retrySubscriptionItem: 'pro',
  createFeed: 'pro',
  askLibrary: 'pro',
  createDigest: 'pro',
  exportPdf: 'pro',
  getWebhookSecret: 'pro',
  rotateWebhookSecret: 'pro',
  listWebhookDeliveries: 'pro',
  getWebhookDelivery: 'pro',
  redeliverWebhook: 'pro',
  testWebhook: 'pro',
}

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
const keys = new Map<Caller, string>()
const ids = new Map<Caller, Record<string, string>>()
/** What routes by these names are called with: those that delete what others need, and those about something of their own. */
const deletable = new Map<Caller, Record<string, string>>()
const { list } = useTestSources(api)

beforeAll(async () => {
  // Receivers' names are not resolved.
  for (const caller of CALLERS) {
    const key = await api.createKey(caller === 'admin' ? { plan: 'free', scopes: ['admin'] } : { plan: caller })
    const job_id = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, job_id)
    await addTestInfographic(api.context, job_id)
    const test = supertest(api.app).post(`${API_PREFIX}/webhooks/test`).set('X-API-Key', key)
    const { body } = await test.send({ url: 'https://hooks.example.org/subtext' })
    // Reading batches is open to every plan, so that an account keeps its batches after a downgrade.
    const batch_id = await acceptTestBatch(api.context, key)
    // So is reading and deleting conversations.
    const conversation_id = await addTestConversation(api.context, key, job_id)
    const spare = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, spare)
    const [source_id, spareSource] = [
      await list(key, newTestList(), { videos: severalVideos(1) }),
      await list(key, newTestList(), { videos: severalVideos(1) }),
    ]
    const [subscription, ended, other] = [
      await addTestSubscription(api.context, key, source_id),
      await addTestSubscription(api.context, key, source_id),
      await addTestSubscription(api.context, key, source_id),
    ]
    keys.set(caller, key)
    ids.set(caller, {
      job_id,
      batch_id,
      delivery_id: body.data?.delivery_id ?? job_id,
      conversation_id,
      source_id,
      ...subscription,
    })
    deletable.set(caller, {
      deleteJob: spare,
      deleteSource: spareSource,
      deleteSubscription: ended.subscription_id,
      deleteFeed: other.feed_id,
      getLibraryConversation: await addTestConversation(api.context, key, null),
      deleteLibraryConversation: await addTestConversation(api.context, key, null),
      getDigest: await addTestDigest(api.context, key, batch_id),
    })
  }
  // Started last: it would complete the jobs that are completed above.
  startTestWorker(api)
})

const send = (route: RouteShape, caller: Caller) => {
  const path = route.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => deletable.get(caller)?.[route.operationId] ?? ids.get(caller)?.[name] ?? '',
  )
  const request = supertest(api.app)
    [route.method](`${API_PREFIX}${path}`)
    .query(route.example?.query ?? {})
    .set('X-API-Key', keys.get(caller) ?? '')
  return route.example?.body === undefined ? request : request.send(route.example.body as object)
}

const includes = (caller: Caller, lowest: Plan | undefined): boolean =>
  caller === 'admin' || lowest === undefined || PLAN_NAMES.indexOf(caller) >= PLAN_NAMES.indexOf(lowest)

const routesForKeys = ROUTES.filter(({ access }) => access !== 'session')

describe.each(routesForKeys.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  test.each(CALLERS)('serves a key of %s exactly if its plan includes the route', async (caller) => {
    const response = await send(route, caller)
    if (route.access === 'admin' && caller !== 'admin') expect(response).toBeRefused(403, 'INSUFFICIENT_SCOPE')
    else if (includes(caller, LOWEST_PLAN[operationId])) {
      expect([response.status, response.body.error]).toEqual([route.status, undefined])
    } else {
      expect(response).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
      expect(response.body.error.details).toMatchObject({
        current_plan: caller,
        required_plan: LOWEST_PLAN[operationId],
      })
    }
  })
})

test('the table of plans lists nothing but routes', () => {
  const names = ROUTES.map((route) => route.operationId)
  expect(Object.keys(LOWEST_PLAN).filter((name) => !names.includes(name))).toEqual([])
})
