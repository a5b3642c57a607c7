import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { buildNodes, loadNode } from './load-node.ts'

interface Context {
  /** What the node answered itself, if it did. */
  answer: { status?: number }
  stored: Record<string, unknown>
}
type Hook = (this: object) => Promise<boolean>
interface Trigger {
  webhookMethods: { default: { checkExists: Hook; create: Hook; delete: Hook } }
  webhook(this: object): Promise<{ workflowData?: unknown[][]; noWebhookResponse?: boolean }>
}

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`
const HOOK_URL = 'https://n8n.example.org/webhook/1'
const SUBSCRIBE = { mode: 'subscription', source: '@talks', action: 'process', summaryModes: ['tldr'] }

let trigger: Trigger
let server: Server
let requests: { method?: string; url?: string; body: unknown }[] = []
let reply: { status: number; body: object } = { status: 200, body: { data: {} } }
beforeAll(async () => {
  buildNodes()
  trigger = loadNode<Trigger>('nodes/SubtextTrigger/SubtextTrigger.node.js', 'SubtextTrigger')
  server = createServer(async (request, response) => {
    const { method, url } = request
    requests.push({ method, url, body: method === 'POST' ? await json(request) : undefined })
    response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  requests = []
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** What n8n gives a node: its parameters, its credentials, and what it stores. */
function createContext(parameters: Record<string, unknown>, request: object = {}, secret = SECRET): Context & object {
  const context: Context = { answer: {}, stored: {} }
  const respond = { status: (status: number) => ({ json: () => Object.assign(context.answer, { status }) }) }
  return Object.assign(context, {
    getNode: () => ({}),
    getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
    getNodeWebhookUrl: () => HOOK_URL,
    getWorkflowStaticData: () => context.stored,
    getRequestObject: () => request,
    getResponseObject: () => respond,
    getCredentials: async () => ({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`,
      webhookSecret: secret,
    }),
    helpers: {
      returnJsonArray: (items: unknown[]) => items.map((item) => ({ json: item })),
      async httpRequestWithAuthentication(
        _: string,
        options: { method: string; baseURL: string; url: string; body: unknown },
      ) {
        const response = await fetch(`${options.baseURL}${options.url}`, {
          method: options.method,
          ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
        })
        const text = await response.text()
        return { statusCode: response.status, body: text ? JSON.parse(text) : undefined }
      },
    },
  })
}

describe('the subscription of the n8n trigger', () => {
  const hooks = () => trigger.webhookMethods.default

  test('is created with the URL of the node and what was chosen, and remembered', async () => {
    reply = { status: 201, body: { data: { subscription_id: 'sub-1' } } }
    const filters = { words: 'soil maps, ocean ', titleContains: 'Talk', catchUp: 3 }
    const context = createContext({ ...SUBSCRIBE, filters })
    expect(await hooks().create.call(context)).toBe(true)
    expect(context.stored).toEqual({ subscriptionId: 'sub-1' })
    expect(requests).toEqual([
      {
        method: 'POST',
        url: '/api/v1/subscriptions',
        body: {
          url: '@talks',
          action: 'process',
          deliver: { webhook_url: HOOK_URL, format: 'event' },
          options: { summary_modes: ['tldr'] },
          match: { any: ['soil maps', 'ocean'] },
          filter: { title_contains: ['Talk'] },
          catch_up: 3,
        },
      },
    ])
  })

  test('is not created twice, and again after somebody has deleted it', async () => {
    const context = createContext(SUBSCRIBE)
    expect(await hooks().checkExists.call(context)).toBe(false)
    context.stored.subscriptionId = 'sub-1'
    reply = { status: 200, body: { data: {} } }
    expect(await hooks().checkExists.call(context)).toBe(true)
    reply = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'x' } } }
    expect(await hooks().checkExists.call(context)).toBe(false)
    expect(requests.map(({ url }) => url)).toEqual(Array(2).fill('/api/v1/subscriptions/sub-1'))
  })

  test('ends with the workflow, even if somebody has deleted it before', async () => {
    for (const status of [200, 404]) {
      const context = createContext(SUBSCRIBE)
      context.stored.subscriptionId = 'sub-1'
      reply = { status, body: {} }
      expect(await hooks().delete.call(context)).toBe(true)
      expect(context.stored).toEqual({})
    }
  })

  test('is refused with the message of the service, and without a webhook secret', async () => {
    reply = { status: 403, body: { error: { code: 'PLAN_UPGRADE_REQUIRED', message: 'Needs the Pro plan.' } } }
    await expect(hooks().create.call(createContext(SUBSCRIBE))).rejects.toThrow('Needs the Pro plan.')
    await expect(hooks().create.call(createContext(SUBSCRIBE, {}, ' '))).rejects.toThrow('no webhook secret')
    expect(requests).toHaveLength(1)
  })

  test('is not needed where jobs name the URL of the node', async () => {
    const context = createContext({ mode: 'url' })
    expect(await hooks().checkExists.call(context)).toBe(true)
    expect(await hooks().create.call(context)).toBe(true)
    expect(await hooks().delete.call(context)).toBe(true)
    expect(requests).toEqual([])
  })
})

describe('a delivery to the n8n trigger', () => {
  const EVENT = { id: 'evt-1', event: 'job.completed', data: { text: 'é' } }
  const BODY = JSON.stringify(EVENT)

  const sign = (body: string, date = new Date()) => ({
    rawBody: Buffer.from(body),
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(date.getTime() / 1_000)),
      'webhook-signature': `v1,${Buffer.from('another').toString('base64')} ${new Webhook(SECRET).sign('msg_1', date, body)}`,
    },
  })

  test('starts the workflow once, however often it arrives', async () => {
    const context = createContext({ mode: 'url' }, sign(BODY))
    expect(await trigger.webhook.call(context)).toEqual({ workflowData: [[{ json: EVENT }]] })
    expect(await trigger.webhook.call(context)).not.toHaveProperty('workflowData')
    expect(context.answer).toEqual({})
  })

  test('is left out if its event was not chosen', async () => {
    const wanted = createContext({ events: 'batch.completed, job.completed' }, sign(BODY))
    expect(await trigger.webhook.call(wanted)).toHaveProperty('workflowData')
    const other = createContext({ events: 'job.failed' }, sign(BODY))
    expect(await trigger.webhook.call(other)).not.toHaveProperty('workflowData')
  })

  test.each([
    ['another body', { ...sign(BODY), rawBody: Buffer.from(`${BODY} `) }, SECRET],
    ['no body', { ...sign(BODY), rawBody: undefined }, SECRET],
    ['an old time', sign(BODY, new Date(Date.now() - 301_000)), SECRET],
    ['no signature', { rawBody: Buffer.from(BODY), headers: {} }, SECRET],
    ['another secret', sign(BODY), `whsec_${Buffer.from('another secret').toString('base64')}`],
    ['no secret', sign(BODY), ''],
  ])('is refused with %s', async (_, request, secret) => {
    const context = createContext({ mode: 'url' }, request, secret)
    expect(await trigger.webhook.call(context)).toEqual({ noWebhookResponse: true })
    expect(context.answer).toEqual({ status: 401 })
  })
})
