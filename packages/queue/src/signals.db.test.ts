import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { testQueue } from '@subtext/queue/testing'
import { createProducer } from './producer.ts'
import { createSignals, type Signals } from './signals.ts'

const AWAY = { url: 'redis://127.0.0.1:1', prefix: 'none' }
const open: Signals[] = []
const signalsOf = (...options: Parameters<typeof createSignals>): Signals => {
  const signals = createSignals(...options)
  open.push(signals)
  return signals
}
afterAll(() => Promise.all(open.map((signals) => signals.close())))

/** Says it until somebody has heard, since a subscription takes a moment to begin. */
async function publishUntil(signals: Signals, signal: 'job' | 'delivery', id: string, heard: () => boolean) {
  while (!heard()) {
    await signals.publish(signal, id).catch(() => {})
    await sleep(10)
  }
}

describe('signals', () => {
  test('reach every process that listens, of their kind and installation only', async () => {
    const queue = testQueue()
    const heard: string[] = []
    const listening = signalsOf(queue, ['job', 'delivery'])
    listening.listen('job', (id) => heard.push(`job ${id}`))
    signalsOf(queue, ['job']).listen('job', (id) => heard.push(`other job ${id}`))
    listening.listen('delivery', (id) => heard.push(`delivery ${id}`))
    signalsOf(testQueue(), ['job']).listen('job', (id) => heard.push(`foreign ${id}`))
    const id = randomUUID()
    const both = () => heard.includes(`job ${id}`) && heard.includes(`other job ${id}`)
    await publishUntil(signalsOf(queue), 'job', id, both)
    await sleep(50)
    expect(new Set(heard)).toEqual(new Set([`job ${id}`, `other job ${id}`]))
  })

  test('are heard until one stops listening', async () => {
    const queue = testQueue()
    const heard = { one: 0, other: 0 }
    const listening = signalsOf(queue, ['job'])
    const stop = listening.listen('job', () => heard.one++)
    listening.listen('job', () => heard.other++)
    const publisher = signalsOf(queue)
    await publishUntil(publisher, 'job', 'x', () => heard.one > 0)
    stop()
    const before = heard.one
    const others = heard.other
    await publishUntil(publisher, 'job', 'y', () => heard.other > others)
    expect(heard.one).toBe(before)
  })

  test('of a kind that the process did not ask for are a fault of the program', () => {
    expect(() => signalsOf(testQueue(), ['job']).listen('delivery', () => {})).toThrow('delivery')
    expect(() => signalsOf(testQueue()).listen('job', () => {})).toThrow('job')
  })

  test('fail at once with Redis away', async () => {
    const started = performance.now()
    await expect(signalsOf(AWAY, ['job']).publish('job', 'x')).rejects.toThrow()
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('producer', () => {
  test('with Redis away says so at once, however often, and can be closed', async () => {
    const changes: string[] = []
    const producer = createProducer({ ...AWAY, onConnectionChange: (state) => changes.push(state) })
    const started = performance.now()
    const job = { id: randomUUID(), lane: 'high' as const }
    for (let time = 0; time < 20; time++) await expect(producer.wakeJobs([job])).rejects.toThrow('Redis is away.')
    while (changes.length === 0) await sleep(10)
    await sleep(300)
    expect(producer.isConnected()).toBe(false)
    expect(changes).toEqual(['lost'])
    await producer.close()
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('has nothing to say of no jobs', async () => {
    const producer = createProducer(testQueue())
    while (!producer.isConnected()) await sleep(5)
    await producer.wakeJobs([])
    await producer.close()
  })
})
