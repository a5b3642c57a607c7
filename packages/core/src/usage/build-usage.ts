import { EXTRACTIVE, type ResultUsage, type Spending, type SummaryUsage, type TokenReceipt } from '@subtext/contracts'
import type { JobSummary } from '../summaries/index.ts'

const roundUsd = (usd: number): number => Math.round(usd * 1e6) / 1e6

function buildReceipt(usages: SummaryUsage[]): TokenReceipt {
  const sum = (pick: (usage: SummaryUsage) => number): number => usages.reduce((total, usage) => total + pick(usage), 0)
  return {
    fresh_input_tokens: sum(({ inputTokens }) => inputTokens),
    cache_write_tokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    cached_input_tokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    output_tokens: sum(({ outputTokens }) => outputTokens),
    // Rounded like each stored amount, so that the receipts of a job add up everywhere.
    cost_usd: roundUsd(sum(({ costUsd }) => roundUsd(costUsd))),
  }
}

/** Returns the first model that was paid for, preferring models of this job's own work to those of reused summaries. */
const selectModel = (work: { model: string }[]): string | undefined =>
  work.find(({ model }) => model !== EXTRACTIVE)?.model

/**
 * Adds up what the job's own summaries and its other model calls cost.
 *
 * Who pays for a reused summary: an account pays for it once. A job is charged nothing (`reused`) if another job of the same account
 * has the summary. Otherwise the job is charged (`shared`) what the account that had it written paid, with the calls that led to it,
 * as if it had been written for this job, so that no account can tell that another one requested it. The statements of
 * `summaries/job-work-sql.ts` decide this, because only they see what the account has at that moment: `ADD_STORED` for a summary
 * that is added at once and, for one that costs nothing and is stored with the end of the job, `FIND_OR_ACQUIRE`.
 */
export function buildUsage(summaries: JobSummary[], spendings: Spending[] = []): ResultUsage {
  const written = summaries.filter((summary) => !summary.reused)
  const all = buildReceipt([...written, ...spendings].map(({ usage }) => usage))
  const input = all.fresh_input_tokens + all.cache_write_tokens
  return {
    input_tokens: input,
    output_tokens: all.output_tokens,
    cached_input_tokens: all.cached_input_tokens,
    cache_write_tokens: all.cache_write_tokens,
    total_tokens: input + all.cached_input_tokens + all.output_tokens,
    cost_usd: all.cost_usd,
    model: selectModel([...written, ...spendings, ...summaries]) ?? summaries[0]?.model ?? 'none',
    cached: summaries.length > 0 && written.length === 0 && spendings.length === 0,
    by_mode: Object.fromEntries(
      summaries.map(({ mode, usage, reused }) => [mode, buildReceipt(reused ? [] : [usage])]),
    ),
    overhead: buildReceipt(spendings.map(({ usage }) => usage)),
  }
}
