import { RESULT_FORMATS } from '@subtext/contracts'
import { at } from '@subtext/runtime'
import type { Account } from './accounts.ts'
import { type ApiSetup, compareReads, storeResponse } from './api-setup.ts'
import type { Benchmark } from './benchmark.ts'
import { compare, type Side } from './compare.ts'
import { type SampleResult, seedResult } from './sample-results.ts'
import { updateStatistics } from './update-statistics.ts'

const ROUNDS = 7
const TYPICAL_CALLERS = 10
/** Enough for the compiler to be done before the first round, and for the garbage collector to run in every one. */
const ACCEPTS_PER_ROUND = 1_000
/** Fewer, because the jobs of one account wait for each other: `same` locks its counters until a job is committed. */
const ACCEPTS_OF_ONE_PER_ROUND = 300
const STATUSES_PER_ROUND = 6_000
const KILOBYTE = 1_000
const RESULTS = [
  { label: '60 KB', textBytes: 60 * KILOBYTE, callers: 10, count: 100 },
  { label: '10 MB', textBytes: 10_000 * KILOBYTE, callers: 2, count: 2 },
]
const FORMATS = [
  { label: 'default', query: '' },
  ...RESULT_FORMATS.map((format) => ({ label: format, query: `?format=${format}` })),
]
const SUBMISSION = JSON.stringify({
  url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  options: { summary_modes: ['tldr', 'detailed'], language: 'en' },
  priority: 'normal',
  client_reference: 'bench',
})

export function apiBenchmarks(setup: ApiSetup): Benchmark[] {
  const { users, admin } = setup
  return [
    acceptBenchmark(setup, users, 1),
    acceptBenchmark(setup, users, TYPICAL_CALLERS),
    acceptBenchmark(setup, users, 50),
    acceptBenchmark(setup, [admin], 10),
    statusBenchmark(setup, TYPICAL_CALLERS),
    ...RESULTS.flatMap((result) => resultBenchmarks(setup, result)),
  ]
}

function acceptBenchmark(setup: ApiSetup, accounts: Account[], callers: number): Benchmark {
  const areMany = accounts === setup.users
  const callerNames = areMany ? `${accounts.length} pro users` : 'one admin'
  return {
    name: `accept a job, ${callers} concurrent, ${callerNames}`,
    extra: callers !== TYPICAL_CALLERS || !areMany,
    async run() {
      const { testBed, ours, same, floor } = setup
      const headers = accounts.map(({ key }) => ({
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
      }))
      const side = ({ process, origin }: typeof ours, database: Database): Side => {
        let existing = 0
        return {
          process,
          async prepare() {
            await database.query('UPDATE quota_usage SET used = 0 WHERE used > 0')
            existing = await countJobs(database)
          },
          run: () =>
            setup.load({
              method: 'POST',
              path: '/api/v1/videos/process',
              body: SUBMISSION,
              status: 202,
              origin,
              headers,
              callers,
              count: areMany ? ACCEPTS_PER_ROUND : ACCEPTS_OF_ONE_PER_ROUND,
            }),
          async verify({ count }) {
            const stored = (await countJobs(database)) - existing
            if (stored !== count) throw new Error(`${stored} jobs were stored instead of ${count}.`)
          },
        }
      }
      await Promise.all([testBed.db, testBed.baseline].map(updateStatistics))
      const baselines = { same: side(same, testBed.baseline), floor: side(floor, testBed.baseline) }
      return compare(testBed.servers, { ours: side(ours, testBed.db), ...baselines }, ROUNDS)
    },
  }
}

interface Database {
  query(text: string): Promise<{ rows: unknown[] }>
}

async function countJobs(database: Database): Promise<number> {
  const { rows } = await database.query('SELECT count(*)::int AS jobs FROM jobs')
  return (rows as { jobs: number }[])[0]?.jobs ?? 0
}

function statusBenchmark(setup: ApiSetup, callers: number): Benchmark {
  return {
    name: `read a status, ${callers} concurrent`,
    async run() {
      const { jobId } = await seedResult(setup.testBed, at(setup.users, 0).userId, KILOBYTE)
      return compareReads(setup, { path: `/api/v1/videos/status/${jobId}`, callers, count: STATUSES_PER_ROUND })
    },
  }
}

function resultBenchmarks(setup: ApiSetup, result: (typeof RESULTS)[number]): Benchmark[] {
  const { label, textBytes, callers, count } = result
  const user = at(setup.users, 0)
  let seeded: Promise<SampleResult> | undefined
  return FORMATS.map((format) => ({
    name: `read a result of ${label}, ${format.label}, ${callers} concurrent`,
    extra: format !== FORMATS[0],
    async run() {
      seeded ??= seedResult(setup.testBed, user.userId, textBytes)
      const { jobId } = await seeded
      const path = `/api/v1/videos/result/${jobId}${format.query}`
      const textId = `${jobId}-${format.label}`
      const ready = { textId, bytes: await storeResponse(setup, path, textId) }
      return compareReads(setup, { path, callers, count, ready })
    },
  }))
}
