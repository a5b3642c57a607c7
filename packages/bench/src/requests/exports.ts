import { at } from '@subtext/runtime'
import { createAccounts } from '../accounts.ts'
import { readProcessMicros } from '../cpu-time.ts'
import { readShareMegabytes } from '../memory.ts'
import type { Part } from '../part.ts'
import { seedResults } from '../sample-results.ts'
import { formatLine } from '../table.ts'
import { openTestBed } from '../test-bed.ts'
import { headersOf } from './setup.ts'

const VIDEOS = 1_000
/** About an hour of speech. */
const TEXT_BYTES = 60_000
const FORMATS = ['markdown', 'obsidian', 'chunks']
const GOAL_MB = 128
const READ_EVERY_MS = 50
const WIDTHS = [24, 12, 12, 12, 16]

/** Makes a library of the jobs, each of another video. */
const FILL_LIBRARY = `
WITH named AS (
  UPDATE jobs j SET video_id = lpad(n.nth::text, 11, '0')
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM jobs) n WHERE n.id = j.id RETURNING j.id, j.user_id, j.video_id
)
INSERT INTO library_entries (user_id, video_id, job_id, transcript_id, cue_count, title, channel_id, language, completed_at, is_partial)
SELECT n.user_id, n.video_id, n.id, r.transcript_id, r.cue_count, '', '', 'en', r.completed_at, true
FROM named n JOIN results r ON r.job_id = n.id`

/** Measures what exporting a large library takes: time, CPU and how much the memory of the API grows. */
export const measureExports: Part = async (bench) => {
  const testBed = await openTestBed(bench)
  const account = at(await createAccounts([testBed.db, testBed.baseline], 1, ['read']), 0)
  bench.say(`${VIDEOS} results of an hour`)
  const userIds = Array.from({ length: VIDEOS }, () => account.userId)
  await seedResults(testBed, userIds, TEXT_BYTES)
  await testBed.db.query(FILL_LIBRARY)
  await testBed.db.query('ANALYZE')
  const { processes, origin } = await testBed.startApps(['api'])
  const { pid } = at(processes, 0)
  const rows: string[] = []
  for (const format of FORMATS) {
    bench.say(format)
    const before = readShareMegabytes(pid)
    const cpuBefore = readProcessMicros(pid)
    const startedAt = performance.now()
    let peak = before
    const timer = setInterval(() => {
      peak = Math.max(peak, readShareMegabytes(pid))
    }, READ_EVERY_MS)
    const bytes = await download(`${origin}/api/v1/library/export?format=${format}`, headersOf(account)).finally(() =>
      clearInterval(timer),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    const cpuMs = (readProcessMicros(pid) - cpuBefore) / 1_000
    rows.push(
      formatLine(
        [format, seconds.toFixed(1), (cpuMs / VIDEOS).toFixed(1), (bytes / 1e6).toFixed(1), (peak - before).toFixed(0)],
        WIDTHS,
      ),
    )
  }
  const title = `export of ${VIDEOS} results`
  return [
    formatLine([title, 's', 'CPU ms each', 'MB sent', 'memory, + MB'], WIDTHS),
    ...rows,
    formatLine(['goal', '', '', '', `<= ${GOAL_MB}`], WIDTHS),
  ].join('\n')
}

/** Returns the number of bytes of a response. */
async function download(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers })
  if (!response.ok || !response.body) throw new Error(`The export was refused: ${await response.text()}`)
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  return bytes
}
