import { randomUUID } from 'node:crypto'
import { API_PREFIX, type RouteShape } from '@subtext/contracts'
import { hashApiKey } from '@subtext/core/api-keys'
import { createTemplate } from '@subtext/core/templates'
import supertest from 'supertest'
import type { ApiContext } from '../context.ts'
import { holderOf } from './accounts.ts'
import type { TestApi } from './api.ts'
import { addTestConversation, addTestDigest } from './chats.ts'
import { acceptTestBatch, acceptTestJob, addTestInfographic, completeTestJob } from './jobs.ts'
import { newTestList, severalVideos, useTestSources } from './sources.ts'
import { addTestSubscription, type TestSubscription } from './subscriptions.ts'

/** What an account has of everything that paths name, by their placeholders. */
export interface OwnedThings extends TestSubscription {
  job_id: string
  batch_id: string
  /** About the job. */
  conversation_id: string
  library_conversation_id: string
  delivery_id: string
  digest_id: string
  source_id: string
  /** Of a template. */
  name: string
  table_id: string
}

/** Gives an account one of everything, whatever its plan. Call it before a worker starts, which would complete its jobs. */
export async function addOwnedThings(api: TestApi, key: string): Promise<OwnedThings> {
  const { context } = api
  const job_id = await acceptTestJob(context, key)
  await completeTestJob(context, job_id)
  await addTestInfographic(context, job_id)
  const batch_id = await acceptTestBatch(context, key)
  for (const { id } of await context.db.prisma.job.findMany({ where: { batchId: batch_id }, select: { id: true } })) {
    await completeTestJob(context, id)
  }
  const source_id = await addTestSource(api, key)
  return {
    job_id,
    batch_id,
    source_id,
    conversation_id: await addTestConversation(context, key, job_id),
    library_conversation_id: await addTestConversation(context, key, null),
    delivery_id: await sendTestEvent(api, key),
    digest_id: await addTestDigest(context, key, batch_id),
    name: await addTestTemplate(context, key),
    table_id: await addTestTable(context, key, job_id),
    ...(await addTestSubscription(context, key, source_id)),
  }
}

type Owner = { api: TestApi; key: string; things: OwnedThings }

/** What routes delete, by their operation: something new, so that what other routes need stays. */
const DELETABLE: Record<string, (owner: Owner) => Promise<string>> = {
  deleteJob: ({ api, key }) => addEndedJob(api.context, key),
  deleteConversation: ({ api, key, things }) => addTestConversation(api.context, key, things.job_id),
  deleteLibraryConversation: ({ api, key }) => addTestConversation(api.context, key, null),
  // Without a subscription that follows it.
  deleteSource: ({ api, key }) => addTestSource(api, key),
  deleteSubscription: async ({ api, key, things }) =>
    (await addTestSubscription(api.context, key, things.source_id)).subscription_id,
  deleteFeed: async ({ api, key, things }) => (await addTestSubscription(api.context, key, things.source_id)).feed_id,
  deleteTemplate: ({ api, key }) => addTestTemplate(api.context, key),
}

/** Adds what a request may delete; undefined for a route that deletes nothing. */
export const addDeletable = async (
  { operationId }: Pick<RouteShape, 'operationId'>,
  owner: Owner,
): Promise<string | undefined> => DELETABLE[operationId]?.(owner)

const thingAt = (path: string, placeholder: string): keyof OwnedThings =>
  (path.startsWith('/library/chat/') ? `library_${placeholder}` : placeholder) as keyof OwnedThings

/** Lists what the path of a route names. */
export const thingsIn = ({ path }: RouteShape): (keyof OwnedThings)[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, placeholder = '']) => thingAt(path, placeholder))

/**
 * Returns the path to what an account owns or, in place of what the path ends with, to `deletable`. If `things` is an ID, it
 * takes the place of every placeholder.
 */
export function pathTo({ path }: RouteShape, things: OwnedThings | string, deletable?: string): string {
  const fill = (placeholder: string): string =>
    typeof things === 'string' ? things : things[thingAt(path, placeholder)]
  const [last] = /\{\w+\}$/.exec(path) ?? []
  const filled = path.replace(/\{(\w+)\}/g, (braced, placeholder: string) =>
    encodeURIComponent((braced === last ? deletable : undefined) ?? fill(placeholder)),
  )
  return `${API_PREFIX}${filled}`
}

/** Returns the example body of a route, about what the account owns, and with a name that is not taken. */
export function bodyFor({ operationId, example }: RouteShape, { job_id }: OwnedThings): object | undefined {
  const body = example?.body as object | undefined
  if (operationId === 'createTemplate') return { ...body, name: randomUUID() }
  return operationId === 'createLibraryTable' ? { ...body, job_ids: [job_id] } : body
}

const NEEDING_MODEL = ['createBatchTable', 'createLibraryTable']
/** Returns whether a route succeeds only where a language model is configured. */
export const needsModel = (operationId: string): boolean => NEEDING_MODEL.includes(operationId)

/** Settings of a process with a model, which nobody asks. */
export const WITH_MODEL = { ANTHROPIC_API_KEY: 'key of nobody' }

/** Requests a test event. Returns its delivery or, for a plan without webhooks, an unknown ID. */
async function sendTestEvent({ app }: TestApi, key: string): Promise<string> {
  const request = supertest(app).post(`${API_PREFIX}/webhooks/test`).set('X-API-Key', key)
  const { body } = await request.send({ url: 'https://hooks.example.org/subtext' })
  return body.data?.delivery_id ?? randomUUID()
}

const addTestSource = (api: TestApi, key: string): Promise<string> =>
  useTestSources(api).list(key, newTestList(), { videos: severalVideos(1) })

async function addEndedJob(ctx: ApiContext, key: string): Promise<string> {
  const id = await acceptTestJob(ctx, key)
  await ctx.db.prisma.job.update({ where: { id }, data: { status: 'failed', completedAt: new Date() } })
  return id
}

/** Returns the name of a new template. */
async function addTestTemplate(ctx: ApiContext, key: string): Promise<string> {
  const admin = { ...(await holderOf(ctx, key)), scopes: ['admin' as const] }
  const schema = { type: 'object' as const, properties: { topic: { type: 'string' as const } } }
  return (await createTemplate(ctx, admin, { name: randomUUID(), schema })).name
}

/** Stores a table of one video that nobody fills. Returns its ID. */
async function addTestTable(ctx: ApiContext, key: string, jobId: string): Promise<string> {
  const { userId } = await holderOf(ctx, key)
  const { id } = await ctx.db.prisma.videoTable.create({
    data: {
      id: randomUUID(),
      userId,
      columns: [{ title: 'topic', property: 'topic' }],
      rows: [{ jobId, videoId: 'dQw4w9WgXcQ', filledBy: null }],
      template: 'topics',
      createdAt: ctx.clock(),
    },
  })
  return id
}

/** Creates a key that one of the columns makes invalid. */
export async function createInvalidKey(
  api: TestApi,
  column: 'revoked_at' | 'disabled_at' | 'expires_at',
): Promise<string> {
  const key = await api.createKey()
  await api.context.db.query(`UPDATE api_keys SET ${column} = now() - interval '1 second' WHERE hash = $1`, [
    hashApiKey(key),
  ])
  return key
}
