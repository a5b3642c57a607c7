import { createAccountQueue, QueueFullError } from './account-queue.ts'

const signal = new AbortController().signal
const queueOf = (maxWaiting: number) => createAccountQueue({ maxActive: 2, maxWaiting, maxWaitMs: 60_000 })

test('gives the next turn to the account that has the fewest, and then to the one that has waited longest', async () => {
  const queue = queueOf(20)
  const order: string[] = []
  const enter = async (account: string, name: string): Promise<() => void> => {
    const leave = await queue.enter(account, signal)
    order.push(name)
    return leave
  }
  const leaveFirst = await enter('a', 'a1')
  const leaveOther = await enter('b', 'b1')
  const waiting = [enter('a', 'a2'), enter('b', 'b2'), enter('c', 'c1')]
  leaveFirst()
  // Account b has a turn.
  const leaveSecond = await waiting[0]
  expect(order).toEqual(['a1', 'b1', 'a2'])
  leaveSecond?.()
  await waiting[2]
  leaveOther()
  await waiting[1]
  expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'b2'])
})

test('refuses the latest of the account with the most if another one wants to wait', async () => {
  const queue = queueOf(4)
  const callers = new AbortController()
  const leave = await queue.enter('greedy', signal)
  await queue.enter('other', signal)
  const greedy = Array.from({ length: 4 }, (_, at) =>
    queue.enter('greedy', callers.signal).then(
      () => at,
      () => 'refused',
    ),
  )
  await expect(queue.enter('greedy', signal)).rejects.toEqual(new QueueFullError())
  const modest = queue.enter('modest', callers.signal)
  expect(await greedy[3]).toBe('refused')
  leave()
  expect(await greedy[0]).toBe(0)
  expect(queue.waiting()).toBe(3)
  callers.abort()
  await expect(modest).rejects.toThrow('aborted')
  expect(queue.waiting()).toBe(0)
})
