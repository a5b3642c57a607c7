import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerQuestions } from './child-process.ts'

let received = 0
let reached: { count: number; tell: () => void } | undefined

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      received++
      if (reached && received >= reached.count) reached.tell()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

answerQuestions({
  /** Receivers that acknowledge everything; returns their addresses. */
  listen: (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, listen)),
  /** Forgets what came. */
  async forget(): Promise<void> {
    received = 0
  },
  /** Returns when so many have come since. */
  reach: (count: number): Promise<void> =>
    new Promise((resolve) => {
      reached = { count, tell: resolve }
      if (received >= count) resolve()
    }),
})
