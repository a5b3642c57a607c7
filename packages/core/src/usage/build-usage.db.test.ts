import { randomUUID } from 'node:crypto'
import { SUMMARY_MODES } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import fc from 'fast-check'
import { listJobWork } from '../summaries/job-work-sql.ts'
import { addJobSpending, addJobSummary, saveSummary } from '../summaries/summaries-sql.ts'
import { buildUsage } from './build-usage.ts'
import { recordUsage } from './ledgers-sql.ts'

const { db } = useTestDatabase({ maxConnections: 2 })

const tokens = fc.nat(2_000_000)
const summary = fc.record({
  usage: fc.record({
    inputTokens: tokens,
    outputTokens: tokens,
    cachedInputTokens: tokens,
    cacheWriteTokens: tokens,
    // Computed from prices, with more decimal places than are stored.
    costUsd: fc.double({ min: 0, max: 50, noNaN: true }),
  }),
  reused: fc.boolean(),
})

async function storeJob(): Promise<string> {
  const id = randomUUID()
  await db.query(
    `INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
     VALUES ($1, $1, 'normal', 'normal', 'v', '{}', now(), now(), now())`,
    [id],
  )
  return id
}

test('the usage in a result equals the usage recorded for a failed job with the same costs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(summary, { maxLength: SUMMARY_MODES.length }),
      fc.array(summary),
      async (summaries, lost) => {
        const jobId = await storeJob()
        for (const [index, { usage, reused }] of summaries.entries()) {
          const id = randomUUID()
          const mode = SUMMARY_MODES[index] ?? 'tldr'
          const content = { overview: [], sections: [] }
          const kept = { id, mode, model: 'model-a', content, usage, cacheKey: Buffer.from(id), transcriptId: id }
          await saveSummary(db, kept)
          await addJobSummary(db, { jobId, mode, summaryId: id, reused })
        }
        for (const { usage } of lost) {
          await addJobSpending(db, {
            id: randomUUID(),
            jobId,
            purpose: 'unusable',
            mode: null,
            model: 'model-a',
            usage,
          })
        }
        await db.query(`UPDATE jobs SET status = 'failed', completed_at = now() WHERE id = $1`, [jobId])
        await recordUsage(db, jobId)
        const entry = await db.prisma.usageEntry.findFirstOrThrow({ where: { jobId } })
        expect({
          input_tokens: entry.inputTokens,
          output_tokens: entry.outputTokens,
          cached_input_tokens: entry.cachedInputTokens,
          total_tokens: entry.inputTokens + entry.outputTokens + entry.cachedInputTokens,
          cost_usd: entry.costUsd.toNumber(),
        }).toEqual(pickAmounts(await usageOf(jobId)))
      },
    ),
    { numRuns: 40, seed: 20_261_121 },
  )
})

const usageOf = async (jobId: string) => {
  const { summaries, spendings } = await listJobWork(db, jobId)
  return buildUsage(summaries, spendings)
}
const pickAmounts = (usage: ReturnType<typeof buildUsage>) => {
  const { input_tokens, output_tokens, cached_input_tokens, total_tokens, cost_usd } = usage
  return { input_tokens, output_tokens, cached_input_tokens, total_tokens, cost_usd }
}
