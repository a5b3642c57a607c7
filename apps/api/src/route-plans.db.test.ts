import { PLAN_NAMES, type Plan, ROUTES, type RouteShape } from '@subtext/contracts'
import type { Express } from 'express'
import supertest, { type Response } from 'supertest'
import { useTestApi } from './testing/api.ts'
import {
  addDeletable,
  addOwnedThings,
  bodyFor,
  needsModel,
  type OwnedThings,
  pathTo,
  WITH_MODEL,
} from './testing/owned-things.ts'
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
  createTemplate: 'pro',
  listTemplates: 'pro',
  getTemplate: 'pro',
  replaceTemplate: 'pro',
  createBatchTable: 'pro',
  createLibraryTable: 'pro',
  exportPdf: 'pro',
  getWebhookSecret: 'pro',
  rotateWebhookSecret: 'pro',
  listWebhookDeliveries: 'pro',
  getWebhookDelivery: 'pro',
  redeliverWebhook: 'pro',
  testWebhook: 'pro',
}

// Receivers' names are not resolved.
const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
let withModel: Express
// Reading what an account has is open to every plan, so that the account keeps it after a downgrade.
const owners = new Map<Caller, { key: string; things: OwnedThings }>()

beforeAll(async () => {
  withModel = api.openBeside(WITH_MODEL).app
  for (const caller of CALLERS) {
    const key = await api.createKey(caller === 'admin' ? { plan: 'free', scopes: ['admin'] } : { plan: caller })
    owners.set(caller, { key, things: await addOwnedThings(api, key) })
  }
  startTestWorker(api)
})

async function send(route: RouteShape, caller: Caller): Promise<Response> {
  const owner = owners.get(caller)
  if (!owner) throw new Error('The caller has no key.')
  const { key, things } = owner
  const request = supertest(needsModel(route.operationId) ? withModel : api.app)
    [route.method](pathTo(route, things, await addDeletable(route, { api, ...owner })))
    .query(route.example?.query ?? {})
    .set('X-API-Key', key)
  const body = bodyFor(route, things)
  return body === undefined ? request : request.send(body)
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
