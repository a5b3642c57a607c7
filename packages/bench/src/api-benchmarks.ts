import { at } from '@subtext/runtime'
import type { Account } from './accounts.ts'
import { type ApiSetup, compareReads, storeResponse } from './api-setup.ts'
import type { Benchmark } from './benchmark.ts'
import { compare, type Side } from './compare.ts'
import { insertBaselineJob, type SampleResult, seedResult } from './sample-results.ts'

const WARM_UP_CALLERS = 50
const WARM_UP_ROUNDS = 3
const ACCEPT_ROUNDS = 5
const ACCEPT_SECONDS = 1
const KILOBYTE = 1_000
const RESULTS = [
  { label: '60 KB', textBytes: 60 * KILOBYTE, callers: 10 },
  { label: '10 MB', textBytes: 10_000 * KILOBYTE, callers: 2 },
]
const FORMATS = [
  { label: 'default', query: '' },
  { label: 'json', query: '?format=json' },
  { label: 'markdown', query: '?format=markdown' },
  ...['text', 'html', 'csv', 'srt', 'vtt'].map((format) => ({ label: format, query: `?format=${format}` })),
]
const SUBMISSION = JSON.stringify({
  url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  options: { summary_modes: ['tldr', 'detailed'], language: 'en' },
  priority: 'normal',
  client_reference: 'bench',
})

export async function openApiBenchmarks(setup: ApiSetup): Promise<Benchmark[]> {
  const { users, admin } = setup
  await warmUp(setup)
  return [
    acceptBenchmark(setup, users, 1),
    acceptBenchmark(setup, users, 10),
    acceptBenchmark(setup, users, 50),
    acceptBenchmark(setup, [admin], 10),
    statusBenchmark(setup, 10),
    ...RESULTS.flatMap((result) => resultBenchmarks(setup, result)),
  ]
}

/**
 * Brings both sides to the state of a running service: new processes are slow, and queries on tables without statistics
 * get bad plans. (Postgres would collect the statistics by itself within a minute.)
 */
async function warmUp(setup: ApiSetup): Promise<void> {
  const { testBed, users } = setup
  const { ours, baseline } = acceptSides(setup, users, WARM_UP_CALLERS)
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const side of [ours, baseline]) {
      await side.prepare?.()
      await side.run()
    }
  }
  await Promise.all([testBed.db.query('ANALYZE'), testBed.baseline.query('ANALYZE')])
}

function acceptBenchmark(setup: ApiSetup, accounts: Account[], callers: number): Benchmark {
  const callerNames = accounts === setup.users ? `${accounts.length} pro users` : 'one admin'
  const { ours, baseline } = acceptSides(setup, accounts, callers)
  return {
    name: `accept a job, ${callers} concurrent, ${callerNames}`,
    run: () => compare(setup.testBed, ours, baseline, ACCEPT_ROUNDS),
  }
}

function acceptSides({ testBed, ours, baseline, load }: ApiSetup, accounts: Account[], callers: number) {
  const options = { method: 'POST', body: SUBMISSION, status: 202, callers, seconds: ACCEPT_SECONDS } as const
  const json = { 'content-type': 'application/json' }
  const headers = accounts.map(({ key }) => ({ ...json, authorization: `Bearer ${key}` }))
  const oursSide: Side = {
    process: ours.process,
    prepare: () => testBed.db.query('UPDATE quota_usage SET used = 0 WHERE used > 0'),
    run: () => load({ ...options, origin: ours.origin, path: '/api/v1/videos/process', headers }),
  }
  const baselineSide: Side = {
    process: baseline.process,
    run: () => load({ ...options, origin: baseline.origin, path: '/process', headers: [json] }),
  }
  return { ours: oursSide, baseline: baselineSide }
}

function statusBenchmark(setup: ApiSetup, callers: number): Benchmark {
  const { testBed, users } = setup
  return {
    name: `read a status, ${callers} concurrent`,
    async run() {
      const user = at(users, 0)
      const jobId = (await seedResult(testBed, user.userId, KILOBYTE)).jobId
      const baselineId = await insertBaselineJob(testBed.baseline)
      return compareReads(setup, {
        path: `/api/v1/videos/status/${jobId}`,
        baselinePath: `/jobs/${baselineId}`,
        callers,
      })
    },
  }
}

function resultBenchmarks(setup: ApiSetup, { label, textBytes, callers }: (typeof RESULTS)[number]): Benchmark[] {
  const user = at(setup.users, 0)
  let seeded: Promise<SampleResult> | undefined
  return FORMATS.map((format) => ({
    name: `read a result of ${label}, ${format.label}, ${callers} concurrent`,
    async run() {
      seeded ??= seedResult(setup.testBed, user.userId, textBytes)
      const { jobId } = await seeded
      const path = `/api/v1/videos/result/${jobId}${format.query}`
      const textId = `${jobId}-${format.label}`
      await storeResponse(setup, path, textId)
      return compareReads(setup, { path, baselinePath: `/texts/${textId}`, callers })
    },
  }))
}
