import type { IDataObject, IHookFunctions, IHttpRequestMethods, JsonObject } from 'n8n-workflow'
import { NodeApiError } from 'n8n-workflow'

const NOT_FOUND = 404

interface Answer {
  statusCode: number
  body: { data?: IDataObject; error?: { code: string; message: string } } | undefined
}

/** Calls the API with the credentials of the node. Returns undefined if there is nothing at the path. */
async function request(
  context: IHookFunctions,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
): Promise<IDataObject | undefined> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('subtextApi')
  const base = baseUrl
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
  const answer: Answer = await context.helpers.httpRequestWithAuthentication.call(context, 'subtextApi', {
    method,
    baseURL: `${base}/api/v1`,
    url: path,
    body,
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })
  if (answer.statusCode === NOT_FOUND) return undefined
  if (answer.statusCode < 400) return answer.body?.data ?? {}
  const { code = '', message = 'The service did not answer as expected' } = answer.body?.error ?? {}
  throw new NodeApiError(context.getNode(), { code } as JsonObject, { message, httpCode: String(answer.statusCode) })
}

/** Returns whether the subscription of this node still exists. */
export async function subscriptionExists(context: IHookFunctions): Promise<boolean> {
  const { subscriptionId } = context.getWorkflowStaticData('node')
  if (typeof subscriptionId !== 'string') return false
  return (await request(context, 'GET', `/subscriptions/${subscriptionId}`)) !== undefined
}

const split = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** Subscribes to the source, with the URL of this node as the place where its events are delivered. */
export async function createSubscription(context: IHookFunctions): Promise<void> {
  const {
    titleContains = '',
    words = '',
    catchUp,
  } = context.getNodeParameter('filters', {}) as {
    titleContains?: string
    words?: string
    catchUp?: number
  }
  const action = context.getNodeParameter('action') as string
  const isProcessed = action === 'process'
  const created = await request(context, 'POST', '/subscriptions', {
    url: context.getNodeParameter('source') as string,
    action,
    deliver: { webhook_url: context.getNodeWebhookUrl('default'), format: 'event' },
    ...(isProcessed && { options: { summary_modes: context.getNodeParameter('summaryModes') as string[] } }),
    ...(isProcessed && words && { match: { any: split(words) } }),
    ...(titleContains && { filter: { title_contains: split(titleContains) } }),
    ...(catchUp && { catch_up: catchUp }),
  })
  context.getWorkflowStaticData('node').subscriptionId = created?.subscription_id
}

/** Ends the subscription. One that somebody has deleted before is ended, too. */
export async function deleteSubscription(context: IHookFunctions): Promise<void> {
  const stored = context.getWorkflowStaticData('node')
  if (typeof stored.subscriptionId !== 'string') return
  await request(context, 'DELETE', `/subscriptions/${stored.subscriptionId}`)
  delete stored.subscriptionId
}
