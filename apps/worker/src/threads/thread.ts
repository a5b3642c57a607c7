import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './messages.ts'
import { TASKS } from './tasks.ts'

/** Sends a message and waits for the answer. The two sides take turns, so neither can flood the other. */
async function exchange(port: MessagePort, message: FromThread): Promise<ToThread> {
  port.postMessage(message)
  const messages = await once(port, 'message')
  return messages[0]
}

async function* readInput(port: MessagePort): AsyncGenerator<unknown> {
  for (;;) {
    const answer = await exchange(port, { kind: 'needs-input' })
    if (answer.kind !== 'input') return
    yield answer.chunk
  }
}

async function perform(port: MessagePort, message: ToThread): Promise<FromThread> {
  if (message.kind !== 'start') throw new Error(`Expected \`start\`, but the pool sent \`${message.kind}\`.`)
  const task = TASKS[message.task] as (options: unknown, input: unknown, output: unknown) => Promise<unknown>
  const output = async (chunk: unknown): Promise<void> => void (await exchange(port, { kind: 'output', chunk }))
  try {
    return { kind: 'done', result: await task(message.options, readInput(port), output) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

if (parentPort) {
  let message: ToThread = (await once(parentPort, 'message'))[0]
  for (;;) message = await exchange(parentPort, await perform(parentPort, message))
}
