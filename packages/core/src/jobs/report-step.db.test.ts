import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { claimStoredJob } from '../testing/index.ts'
import { LeaseLostError } from './keep-lease.ts'
import { createStepReporter } from './report-step.ts'

const { db } = useTestDatabase()
let statements: number
let outage: Error | null
let warnings: string[]
let published: string[]

beforeEach(() => {
  statements = 0
  outage = null
  warnings = []
  published = []
})

const ignore = (): void => {}
const context = () => ({
  db: {
    ...db,
    query: async <Row>(text: string, values?: unknown[]) => {
      statements++
      if (outage) throw outage
      return db.query<Row>(text, values)
    },
  },
  log: { info: ignore, error: ignore, warn: (message: string) => warnings.push(message) },
  notifier: { subscribe: () => ignore, publish: async (kind: string) => void published.push(kind) },
})

async function openReporter() {
  const { job, lease } = await claimStoredJob(db)
  const read = async () => {
    const { step, progress, videoTitle } = await db.prisma.job.findUniqueOrThrow({ where: { id: job.id } })
    return { step, progress, videoTitle }
  }
  return { steps: createStepReporter(context(), lease), read, lease }
}

test('steps that pass quickly are stored in one write, with the title that one of them named', async () => {
  const { steps, read } = await openReporter()
  steps.report('fetching_video', 5)
  steps.report('fetching_captions', 15, 'Rivers')
  steps.report('summarizing', 40)
  expect(statements).toBe(0)
  await waitUntil('the step is stored', async () => (await read()).progress === 40)
  expect(await read()).toEqual({ step: 'summarizing', progress: 40, videoTitle: 'Rivers' })
  expect([statements, published]).toEqual([1, ['progress']])
  steps.report('summarizing', 95)
  await waitUntil('the next one is stored', async () => (await read()).progress === 95)
  expect(statements).toBe(2)
})

test('flush stores at once what is waiting, and nothing twice', async () => {
  const { steps, read } = await openReporter()
  steps.report('fetching_video', 5)
  await Promise.all([steps.flush(), steps.flush()])
  expect(await read()).toMatchObject({ step: 'fetching_video', progress: 5 })
  await steps.flush()
  expect(statements).toBe(1)
})

test('stores nothing of what is waiting once it is closed', async () => {
  const { steps } = await openReporter()
  steps.report('fetching_video', 5)
  steps.close()
  await steps.flush()
  expect(statements).toBe(0)
})

test('reports that the lease is lost from the next step on', async () => {
  const { steps, lease } = await openReporter()
  await db.query('UPDATE jobs SET lease_token = $2 WHERE id = $1', [lease.jobId, randomUUID()])
  steps.report('fetching_video', 5)
  await waitUntil('the step was to be stored', () => statements === 1)
  await steps.flush()
  expect(() => steps.report('summarizing', 40)).toThrow(LeaseLostError)
  expect(warnings).toEqual([])
})

test('keeps what cannot be stored for the next write', async () => {
  const { steps, read } = await openReporter()
  outage = new Error('outage')
  steps.report('fetching_captions', 15, 'Rivers')
  await waitUntil('the failure is logged', () => warnings.length > 0)
  await expect(steps.flush()).rejects.toThrow('outage')
  outage = null
  steps.report('summarizing', 40)
  await steps.flush()
  expect(await read()).toEqual({ step: 'summarizing', progress: 40, videoTitle: 'Rivers' })
})
