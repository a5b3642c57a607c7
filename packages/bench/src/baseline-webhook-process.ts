import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import { answerQuestions } from './child-process.ts'
import type { PostOrder } from './webhook-trial.ts'

const dispatcher = new Agent()

/** What one writes in ten minutes: sign it, post it. Nothing is stored, claimed, bounded, retried or guarded. */
async function post({ urls, body, count, concurrency }: PostOrder): Promise<void> {
  const bytes = Buffer.from(body)
  let next = 0
  const send = async (): Promise<void> => {
    while (next < count) {
      const url = urls[next++ % urls.length] as string
      const signature = createHmac('sha256', 'whsec_bare').update(bytes).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-webhook-signature': `sha256=${signature}` }
      const answer = await request(url, { method: 'POST', headers, body: bytes, dispatcher })
      await answer.body.dump()
      if (answer.statusCode !== 204) throw new Error(`answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, send))
}

answerQuestions({ post })
