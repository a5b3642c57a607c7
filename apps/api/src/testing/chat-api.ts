import { type ReceivedEvent, readEvents } from '@subtext/contracts/testing'
import { foldUsageAdditions } from '@subtext/core/usage'
import { type MessagesApi, startMessagesApi } from '@subtext/fakes'
import type { Express } from 'express'
import supertest from 'supertest'
import { type ApiProcess, type TestApi, useTestApi } from './api.ts'
import { type Ask, ask, completeTalk, TALK } from './chats.ts'

/** The line of the talk that answers "Where was Tharp born?". */
export const BORN = TALK.findIndex(({ text }) => text.includes('born in Michigan')) + 1
/** A truthful answer of a model. */
export const FIRST = `Tharp was born in Michigan in 1920. [${BORN}]\n`
export const SECOND = 'She never saw the sea floor she mapped. [4]\n'

interface UsageSums {
  total_tokens: number
  total_cost: number
  videos_processed: number
}

export interface AnswerStream {
  response: Response
  conversationId: string
  /** Returns the next event; undefined when the stream has ended. */
  next(): Promise<ReceivedEvent | undefined>
  /** Returns the names of the remaining events, and the last one. */
  rest(): Promise<{ names: string[]; last: ReceivedEvent | undefined }>
  disconnect(): void
}

export interface ChatApi {
  /** The installation, whose first process has no model. */
  api: TestApi
  /** The model of the process that answers. */
  readonly messagesApi: MessagesApi
  readonly app: Express
  /** Of an account of its own, with a completed job about the English talk. */
  readonly key: string
  jobId: string
  /** Opens a further process with the model. */
  openBeside(env?: Record<string, string>): ApiProcess
  ask(body?: Ask, app?: Express): ReturnType<typeof ask>
  stream(body?: Ask, app?: Express): Promise<AnswerStream>
  /** Returns the last message of a conversation. */
  lastMessage(conversationId: string): Promise<Record<string, unknown>>
  /** Returns what has been added to the usage since the test began. */
  usage(): Promise<UsageSums>
}

/** Registers hooks that open the API with a fake model, and an account for each test. */
export function useChatApi(): ChatApi {
  const api = useTestApi()
  let messagesApi: MessagesApi
  let app: Express
  let key: string
  let jobId: string
  let before: UsageSums
  const openBeside = (env: Record<string, string> = {}): ApiProcess =>
    api.openBeside({
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: messagesApi.baseUrl,
      ...env,
    })
  const readUsage = async (): Promise<UsageSums> => {
    await foldUsageAdditions(api.context.db, 1_000)
    return (await supertest(app).get('/api/v1/usage/current').set('X-API-Key', key)).body.data.current_period
  }
  beforeAll(async () => {
    messagesApi = await startMessagesApi()
    app = openBeside().app
  })
  beforeEach(async () => {
    messagesApi.forgetFaults()
    messagesApi.calls.length = 0
    key = await api.createKey()
    jobId = await completeTalk(api.context, key)
    before = await readUsage()
  })
  afterAll(() => messagesApi.close())
  return {
    api,
    get messagesApi() {
      return messagesApi
    },
    get app() {
      return app
    },
    get key() {
      return key
    },
    get jobId() {
      return jobId
    },
    set jobId(id) {
      jobId = id
    },
    openBeside,
    ask: (body, at = app) => ask(at, key, jobId, body),
    stream: async (body, at = app) => openStream((await api.serve(at)).port, { key, jobId, body }),
    async lastMessage(conversationId) {
      const { body } = await supertest(app).get(`/api/v1/videos/chat/${jobId}/${conversationId}`).set('X-API-Key', key)
      return body.data.messages.at(-1)
    },
    async usage() {
      const { total_tokens, total_cost, videos_processed } = await readUsage()
      return {
        total_tokens: total_tokens - before.total_tokens,
        total_cost: Number((total_cost - before.total_cost).toFixed(6)),
        videos_processed: videos_processed - before.videos_processed,
      }
    },
  }
}

interface StreamRequest {
  key: string
  jobId: string
  body?: Ask
}

async function openStream(port: number, { key, jobId, body }: StreamRequest): Promise<AnswerStream> {
  const controller = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/videos/chat/${jobId}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: 'Where was Tharp born?', stream: true, ...body }),
    signal: controller.signal,
  })
  const events = readEvents(response)
  const next = async (): Promise<ReceivedEvent | undefined> => (await events.next()).value
  return {
    response,
    conversationId: response.headers.get('location')?.split('/').at(-1) ?? '',
    next,
    async rest() {
      const names: string[] = []
      let last: ReceivedEvent | undefined
      for (let event = await next(); event; event = await next()) {
        names.push(event.name)
        last = event
      }
      return { names, last }
    },
    disconnect: () => controller.abort(),
  }
}

/** A promise that the test resolves. */
export function createGate(): { opened: Promise<void>; release(): void } {
  let resolve = (): void => {}
  const opened = new Promise<void>((done) => {
    resolve = done
  })
  return { opened, release: () => resolve() }
}
