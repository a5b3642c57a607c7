import type { AskLibrary, LibraryAnswer } from '@subtext/contracts'
import supertest from 'supertest'

type App = Parameters<typeof supertest>[0]

/** Sends a question about many videos. */
export const askLibrary = (app: App, key: string, body: Partial<AskLibrary> = {}) =>
  supertest(app)
    .post('/api/v1/library/chat')
    .set('X-API-Key', key)
    .send({ message: 'Where was Tharp born?', ...body })

/** Sends a question that is answered. */
export async function askedLibrary(app: App, key: string, body: Partial<AskLibrary> = {}): Promise<LibraryAnswer> {
  const response = await askLibrary(app, key, { scope: { all: true }, ...body })
  expect([response.status, response.body.error]).toEqual([200, undefined])
  return response.body.data
}
