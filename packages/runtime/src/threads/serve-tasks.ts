import { once } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import type { FromThread, ToThread } from './messages.ts'
import type { TaskMap, TasksOf } from './tasks.ts'

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

type AnyTask = (options: unknown, input: AsyncIterable<unknown>, output: unknown) => Promise<unknown>

async function perform(port: MessagePort, tasks: Record<string, AnyTask>, message: ToThread): Promise<FromThread> {
  if (message.kind !== 'start') throw new Error(`Expected \`start\`, but the pool sent \`${message.kind}\`.`)
  const task = tasks[message.task]
  if (!task) throw new Error(`There is no task ${message.task}.`)
  const output = async (chunk: unknown): Promise<void> => void (await exchange(port, { kind: 'output', chunk }))
  try {
    return { kind: 'done', result: await task(message.options, readInput(port), output) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** Does the tasks that the pool of this thread asks for, one after another. Never resolves: the pool ends the thread. */
export async function serveTasks<T extends TaskMap<T>>(port: MessagePort, tasks: TasksOf<T>): Promise<void> {
  let message: ToThread = (await once(port, 'message'))[0]
  for (;;) message = await exchange(port, await perform(port, tasks as Record<string, AnyTask>, message))
}
