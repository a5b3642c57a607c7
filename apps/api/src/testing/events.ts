import { setTimeout as sleep } from 'node:timers/promises'
import { type ReceivedEvent, readEvents } from '@subtext/contracts/testing'
import { createApp } from '../app.ts'
import type { ApiContext } from '../context.ts'
import { type TestApi, useTestApi } from './api.ts'

interface Reader {
  lastEventId?: string
  /** The port to connect to; by default that of the first process. */
  port?: number
  signal?: AbortSignal
}

/** Reads events one by one, as they arrive. */
interface EventReader {
  /** Returns the next event. Throws when the stream has ended. */
  next(): Promise<ReceivedEvent>
  /** Returns the next event that `matches`. A poll may show states in between, such as the claim of the job, or miss them. */
  until(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  /** Returns whether no event arrives within the time. */
  isSilentFor(ms: number): Promise<boolean>
  isOver(): Promise<boolean>
}

export interface EventApi {
  api: TestApi
  /** A key that all tests of the file share. */
  readonly key: string
  /** Serves a context on a new port, which it returns. */
  serve(ctx: ApiContext): Promise<number>
  open(jobId: string, reader?: Reader): Promise<Response>
  follow(jobId: string, reader?: Reader): Promise<EventReader>
}

/** Like `useTestApi`, with the API on real ports, since events can only be read while they are written. */
export function useEventApi(): EventApi {
  const api = useTestApi()
  let key = ''
  let firstPort = 0
  const serve = async (ctx: ApiContext): Promise<number> => (await api.serve(createApp(ctx))).port
  beforeAll(async () => {
    key = await api.createKey()
    firstPort = await serve(api.context)
  })
  const open = (jobId: string, { lastEventId, port = firstPort, signal }: Reader = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/api/v1/videos/events/${jobId}`, {
      headers: { 'X-API-Key': key, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) },
      signal,
    })
  return {
    api,
    get key() {
      return key
    },
    serve,
    open,
    async follow(jobId, reader) {
      const events = readEvents(await open(jobId, reader))
      const next = async (): Promise<ReceivedEvent> => {
        const { value } = await events.next()
        if (!value) throw new Error('The stream has ended.')
        return value
      }
      return {
        next,
        async until(matches) {
          for (;;) {
            const event = await next()
            if (matches(event)) return event
          }
        },
        isSilentFor: async (ms) => (await Promise.race([events.next(), sleep(ms, 'silent')])) === 'silent',
        isOver: async () => (await events.next()).done === true,
      }
    },
  }
}

export async function readAllEvents(response: Response): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  for await (const event of readEvents(response)) events.push(event)
  return events
}

/** Returns the names of events; for a summary event, its mode. */
export const namesOf = (events: ReceivedEvent[]): unknown[] =>
  events.map(({ name, data }) => (name === 'summary' ? data.mode : name))
