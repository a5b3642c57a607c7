import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './messages.ts'
import { TASKS } from './tasks.ts'

/** Both sides take turns, so a message never waits behind another and nobody is flooded. */
async function say(port: MessagePort, message: FromThread): Promise<ToThread> {
  port.postMessage(message)
  const [answer]: ToThread[] = await once(port, 'message')
  return answer as ToThread
}

async function* readInput(port: MessagePort): AsyncGenerator<unknown> {
  for (;;) {
    const answer = await say(port, { kind: 'wants-input' })
    if (answer.kind !== 'input') return
    yield answer.part
  }
}

async function perform(port: MessagePort, message: ToThread): Promise<FromThread> {
  if (message.kind !== 'order') throw new Error(`A thread without work was told \`${message.kind}\`.`)
  const task = TASKS[message.task] as (order: unknown, input: unknown, give: unknown) => Promise<unknown>
  const give = async (part: unknown): Promise<void> => void (await say(port, { kind: 'output', part }))
  try {
    return { kind: 'done', result: await task(message.order, readInput(port), give) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

if (parentPort) {
  let [message]: ToThread[] = await once(parentPort, 'message')
  for (;;) message = await say(parentPort, await perform(parentPort, message as ToThread))
}
