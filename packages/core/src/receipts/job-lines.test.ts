import { RECEIPT_REASONS, SPENDING_PURPOSES } from '@subtext/contracts'
import { buildChatLine, buildJobLines } from './job-lines.ts'
import type { BilledJob } from './receipts-sql.ts'
import { totalLines } from './total.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 22, 12, 0, seconds))

const newJob = (overrides: Partial<BilledJob> = {}): BilledJob => ({
  id: 'job-1',
  videoId: 'dQw4w9WgXcQ',
  batchId: null,
  batchIndex: null,
  derivedFrom: null,
  clientReference: null,
  status: 'completed',
  errorCode: null,
  modes: ['tldr', 'detailed'],
  platformRequests: 3,
  createdAt: at(0),
  startedAt: at(1),
  completedAt: at(9),
  quota: [{ at: at(0), kind: 'reserve', keptBecause: null }],
  summaries: [],
  spendings: [],
  ...overrides,
})
const reserve = (keptBecause: 'summary_delivered' | 'model_paid' | null = null) =>
  ({ at: at(0), kind: 'reserve', keptBecause }) as const
const release = { at: at(9), kind: 'release', keptBecause: null } as const
const summary = (overrides: Partial<BilledJob['summaries'][number]> = {}) => ({
  at: at(5),
  mode: 'tldr' as const,
  model: 'model-a',
  tokens: 100,
  costUsd: 0.000_3,
  reused: false,
  ...overrides,
})
const brief = (job: BilledJob) =>
  buildJobLines(job).map(({ kind, action, quantity, cost_usd, reason }) => [kind, action, quantity, cost_usd, reason])

test('lists what was booked in the order of time, with the words of each reason', () => {
  const job = newJob({
    summaries: [summary({ at: at(8), mode: 'detailed' }), summary()],
    spendings: [{ at: at(4), purpose: 'notes', mode: null, model: 'model-a', tokens: 50, costUsd: 0.000_2 }],
  })
  const lines = buildJobLines(job)
  expect(
    lines.map(({ at: time, kind, action, mode, quantity, unit, cost_usd }) => [
      ...[time.slice(17, 19), kind, action, mode, quantity, unit, cost_usd],
    ]),
  ).toEqual([
    ['00', 'quota', 'reserve', undefined, 1, 'video', 0],
    ['01', 'platform', 'fetch', undefined, 3, 'request', 0],
    ['04', 'model', 'notes', undefined, 50, 'token', 0.000_2],
    ['05', 'model', 'summary', 'tldr', 100, 'token', 0.000_3],
    ['08', 'model', 'summary', 'detailed', 100, 'token', 0.000_3],
  ])
  for (const { reason, message } of lines) expect(message).toBe(RECEIPT_REASONS[reason])
  expect(totalLines(lines)).toMatchObject({ total: { cost_usd: 0.000_8, tokens: 250 }, quota_effect: 1 })
})

test.each([
  ['a job that failed', 'VIDEO_UNAVAILABLE', [reserve(), release], 'job_failed', 0],
  ['a job that was cancelled in time', 'JOB_CANCELLED', [reserve(), release], 'job_cancelled', 0],
  ['a job with a summary', 'JOB_CANCELLED', [reserve('summary_delivered')], 'summary_delivered', 1],
  ['a job that has used the model', 'JOB_CANCELLED', [reserve('model_paid')], 'model_paid', 1],
] as const)('states the effect on the quota of %s', (_, errorCode, quota, reason, effect) => {
  const lines = buildJobLines(newJob({ status: 'failed', errorCode, quota: [...quota] }))
  const last = lines.findLast(({ kind }) => kind === 'quota')
  expect([last?.reason, totalLines(lines).quota_effect]).toEqual([reason, effect])
})

test('says why a job of an admin and a derived job use no quota', () => {
  const lineOf = (overrides: Partial<BilledJob>) => brief(newJob({ ...overrides, quota: [] }))[0]
  expect(lineOf({})).toEqual(['quota', 'reserve', 0, 0, 'unlimited'])
  expect(lineOf({ derivedFrom: 'job-0' })).toEqual(['quota', 'reserve', 0, 0, 'derived'])
})

test.each([
  ['requests', { platformRequests: 2 }, [2, 'requested']],
  ['captions that were available', { platformRequests: 0 }, [0, 'available']],
  ['the transcript of a source', { platformRequests: 0, derivedFrom: 'job-0' }, [0, 'source_transcript']],
  ['requests before a failure', { platformRequests: 2, status: 'failed' as const }, [2, 'requested']],
  ['a job that has asked for nothing yet', { platformRequests: 0, status: 'processing' as const }, undefined],
  ['a job from before requests were counted', { platformRequests: null }, undefined],
])('has a line for %s', (_, overrides, expected) => {
  const line = buildJobLines(newJob(overrides)).find(({ kind }) => kind === 'platform')
  expect(line && [line.quantity, line.reason]).toEqual(expected)
})

test('shows what reuse saved, and charges nothing for it', () => {
  const reused = summary({ reused: true })
  const [line] = buildJobLines(newJob({ quota: [], platformRequests: null, summaries: [reused] })).slice(1)
  expect(line).toMatchObject({ quantity: 0, cost_usd: 0, saved_usd: 0.000_3, reason: 'reused', model: 'model-a' })
  const extractive = summary({ model: 'extractive', tokens: 0, costUsd: 0 })
  expect(brief(newJob({ summaries: [extractive] })).at(-1)).toEqual(['model', 'summary', 0, 0, 'extractive'])
})

test('distinguishes the summaries of the source from added ones', () => {
  const summaries = [
    summary({ mode: 'study_notes', reused: true }),
    summary({ reused: true }),
    summary({ mode: 'detailed' }),
  ]
  const lines = buildJobLines(newJob({ derivedFrom: 'job-0', summaries }))
  const model = lines.filter(({ kind }) => kind === 'model')
  expect(model.map(({ reason, saved_usd }) => [reason, saved_usd])).toEqual([
    ['source', undefined],
    ['reused', 0.000_3],
    ['written', undefined],
  ])
})

test.each(SPENDING_PURPOSES)('charges what was paid without a summary (%s)', (purpose) => {
  const spending = { at: at(4), purpose, mode: null, model: 'model-a', tokens: 7, costUsd: 0.000_001 }
  const line = brief(newJob({ spendings: [spending] })).at(-1)
  expect(line?.slice(2, 4)).toEqual([7, 0.000_001])
})

test('distinguishes answers of the model from passages and from failed calls', () => {
  const entry = {
    jobId: 'job-1',
    messageId: 'm',
    digestId: null,
    conversationId: 'c',
    model: 'model-a',
    tokens: 7,
    costUsd: 0.1,
    at: at(3),
    outcome: 'completed' as const,
  }
  expect(buildChatLine(entry)).toMatchObject({ action: 'chat', reason: 'answered', quantity: 7, cost_usd: 0.1 })
  expect(buildChatLine({ ...entry, model: 'extractive' }).reason).toBe('passages')
  expect(buildChatLine({ ...entry, outcome: 'failed' }).reason).toBe('interrupted')
})

test('adds millionths of a dollar exactly', () => {
  const summaries = Array.from({ length: 1_000 }, () => summary({ costUsd: 0.000_001, tokens: 1 }))
  expect(totalLines(buildJobLines(newJob({ summaries }))).total).toEqual({ cost_usd: 0.001, tokens: 1_000 })
  const three = [0.1, 0.2, 0.3].map((costUsd) => summary({ costUsd }))
  expect(totalLines(buildJobLines(newJob({ summaries: three }))).total.cost_usd).toBe(0.6)
})
