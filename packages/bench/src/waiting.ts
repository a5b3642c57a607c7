import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { readEvents } from '@subtext/contracts/testing'
import { startMessagesApi } from '@subtext/fakes'
import { at } from '@subtext/runtime'
import { watchUrl } from '@subtext/testbed'
import { type BenchAccount, createAccounts } from './accounts.ts'
import type { Part } from './part.ts'
import type { VideoSeries } from './platform-process.ts'
import { quartiles } from './quartiles.ts'
import { headersOf } from './requests/setup.ts'
import { formatLine, formatRange } from './table.ts'
import { openTestBed } from './test-bed.ts'

const MODEL_SECONDS = 1
const WARM_UP_JOBS = 5
const JOBS = 15
const CASES: { name: string; modes: readonly SummaryMode[] }[] = [
  { name: 'one mode', modes: ['tldr'] },
  { name: 'five modes', modes: SUMMARY_MODES },
]
const GOAL_SECONDS = 0.3
const WIDTHS = [24, 26, 10, 26, 10]

/**
 * Measures the time from a submission until its event stream brings the first summary: that of the model, a stand-in that
 * answers every call after the same time, and what the service adds.
 */
export const measureWaiting: Part = async (bench) => {
  const testBed = await openTestBed(bench)
  const model = await bench.undo.keep(startMessagesApi())
  model.failNext({ kind: 'slow', delayMs: 1_000 * MODEL_SECONDS }, { times: Number.POSITIVE_INFINITY })
  const platform = testBed.start(new URL('./platform-process.ts', import.meta.url))
  const { origin } = await testBed.startApps(['api', 'worker'], {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: model.baseUrl,
    YOUTUBE_ORIGIN: await platform.call<string>('start', []),
  })
  const jobs = WARM_UP_JOBS + JOBS
  const users = await createAccounts([testBed.db], jobs, ['read', 'write'])
  const lines = [formatLine(['first summary, seconds', 'submission to summary', 'model', 'service', 'goal'], WIDTHS)]
  for (const [index, { name, modes }] of CASES.entries()) {
    bench.say(name)
    const series: VideoSeries = { prefix: `wait${index}`, count: jobs, hours: 1 / 6 }
    const videoIds = await platform.call<string[]>('addSeries', series)
    const seconds: number[] = []
    for (const [nth, videoId] of videoIds.entries()) {
      const waited = await waitForSummary(origin, at(users, nth), {
        url: watchUrl(videoId),
        options: { summary_modes: modes },
      })
      if (nth >= WARM_UP_JOBS) seconds.push(waited)
    }
    const show = (values: number[]): string => formatRange(quartiles(values), (value) => value.toFixed(2))
    const added = seconds.map((waited) => waited - MODEL_SECONDS)
    lines.push(formatLine([name, show(seconds), MODEL_SECONDS.toFixed(2), show(added), `<= ${GOAL_SECONDS}`], WIDTHS))
  }
  return lines.join('\n')
}

/** Submits a video and follows its job. Returns the seconds until the first summary arrives. */
async function waitForSummary(origin: string, account: BenchAccount, submission: object): Promise<number> {
  const headers = headersOf(account)
  const startedAt = performance.now()
  const body = JSON.stringify(submission)
  const accepted = await fetch(`${origin}/api/v1/videos/process`, { method: 'POST', headers, body })
  if (accepted.status !== 202) throw new Error(`A submission was answered with ${accepted.status}.`)
  const { data } = (await accepted.json()) as { data: { job_id: string } }
  const events = readEvents(await fetch(`${origin}/api/v1/videos/events/${data.job_id}`, { headers }))
  for await (const { name } of events) {
    if (name === 'summary') return (performance.now() - startedAt) / 1_000
    if (name === 'failed') throw new Error('A job failed.')
  }
  throw new Error('A job ended without a summary.')
}
