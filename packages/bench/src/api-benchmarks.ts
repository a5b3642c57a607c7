import type { Account } from './accounts.ts'
import { compare, type Side } from './compare.ts'
import { insertBareJob, type SampleResult, seedResult } from './sample-results.ts'
import { compareReads, keepAsText, type Stage } from './stage.ts'
import type { Trial } from './trial.ts'

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

export async function openApiTrials(stage: Stage): Promise<Trial[]> {
  const { users, admin } = stage
  await warmUp(stage)
  return [
    acceptTrial(stage, users, 1),
    acceptTrial(stage, users, 10),
    acceptTrial(stage, users, 50),
    acceptTrial(stage, [admin], 10),
    statusTrial(stage, 10),
    ...RESULTS.flatMap((result) => resultTrials(stage, result)),
  ]
}

/**
 * Processes that have just started are slow, and tables without statistics are read wrongly; a service at work knows
 * neither. (Postgres would gather them by itself within a minute.)
 */
async function warmUp(stage: Stage): Promise<void> {
  const { lab, users } = stage
  const { ours, bare } = acceptSides(stage, users, WARM_UP_CALLERS)
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const side of [ours, bare]) {
      await side.prepare?.()
      await side.run()
    }
  }
  await Promise.all([lab.db.query('ANALYZE'), lab.bare.query('ANALYZE')])
}

function acceptTrial(stage: Stage, accounts: Account[], callers: number): Trial {
  const who = accounts === stage.users ? `${accounts.length} pro users` : 'one admin'
  const { ours, bare } = acceptSides(stage, accounts, callers)
  return { name: `accept a job, ${callers} at once, ${who}`, run: () => compare(stage.lab, ours, bare, ACCEPT_ROUNDS) }
}

function acceptSides({ lab, ours, bare, load }: Stage, accounts: Account[], callers: number) {
  const order = { method: 'POST', body: SUBMISSION, status: 202, callers, seconds: ACCEPT_SECONDS } as const
  const json = { 'content-type': 'application/json' }
  const headers = accounts.map(({ key }) => ({ ...json, authorization: `Bearer ${key}` }))
  const oursSide: Side = {
    child: ours.child,
    prepare: () => lab.db.query('UPDATE quota_usage SET used = 0 WHERE used > 0'),
    run: () => load({ ...order, origin: ours.origin, path: '/api/v1/videos/process', headers }),
  }
  const bareSide: Side = {
    child: bare.child,
    run: () => load({ ...order, origin: bare.origin, path: '/process', headers: [json] }),
  }
  return { ours: oursSide, bare: bareSide }
}

function statusTrial(stage: Stage, callers: number): Trial {
  const { lab, users } = stage
  return {
    name: `read a status, ${callers} at once`,
    async run() {
      const [user] = users as [Account]
      const jobId = (await seedResult(lab, user.userId, KILOBYTE)).jobId
      const bareId = await insertBareJob(lab.bare)
      return compareReads(stage, { path: `/api/v1/videos/status/${jobId}`, barePath: `/jobs/${bareId}`, callers })
    },
  }
}

function resultTrials(stage: Stage, { label, textBytes, callers }: (typeof RESULTS)[number]): Trial[] {
  const [user] = stage.users as [Account]
  let seeded: Promise<SampleResult> | undefined
  return FORMATS.map((format) => ({
    name: `read a result of ${label}, ${format.label}, ${callers} at once`,
    async run() {
      seeded ??= seedResult(stage.lab, user.userId, textBytes)
      const { jobId } = await seeded
      const path = `/api/v1/videos/result/${jobId}${format.query}`
      const textId = `${jobId}-${format.label}`
      await keepAsText(stage, path, textId)
      return compareReads(stage, { path, barePath: `/texts/${textId}`, callers })
    },
  }))
}
