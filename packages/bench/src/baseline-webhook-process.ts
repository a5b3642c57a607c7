import { createHmac } from 'node:crypto'
import { at } from '@subtext/runtime'
import { Agent, request } from 'undici'
import { handleCalls } from './child-process.ts'
import type { PostOptions } from './webhook-benchmarks.ts'

const dispatcher = new Agent()

/** A sender written in ten minutes: signs and posts, but stores, claims, limits, retries and guards nothing. */
async function post({ urls, body, count, concurrency }: PostOptions): Promise<void> {
  const bytes = Buffer.from(body)
  let next = 0
  const send = async (): Promise<void> => {
    while (next < count) {
      const url = at(urls, next++ % urls.length)
      const signature = createHmac('sha256', 'whsec_baseline').update(bytes).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-webhook-signature': `sha256=${signature}` }
      const answer = await request(url, { method: 'POST', headers, body: bytes, dispatcher })
      await answer.body.dump()
      if (answer.statusCode !== 204) throw new Error(`The receiver responded with ${answer.statusCode}.`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, send))
}

handleCalls({ post })
