import type { ResultUsage } from '@subtext/contracts'
import type { JobSummary } from '@subtext/db'

/** What the job's own summaries cost; those taken over from earlier jobs were paid for there. */
export function buildUsage(summaries: JobSummary[]): ResultUsage {
  const written = summaries.filter((summary) => !summary.reused)
  const sum = (pick: (summary: JobSummary) => number): number => written.reduce((total, item) => total + pick(item), 0)
  const input = sum(({ usage }) => usage.inputTokens + usage.cacheWriteTokens)
  const cachedInput = sum(({ usage }) => usage.cachedInputTokens)
  const output = sum(({ usage }) => usage.outputTokens)
  return {
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cachedInput,
    total_tokens: input + cachedInput + output,
    cost_usd: Math.round(sum(({ usage }) => usage.costUsd) * 1e6) / 1e6,
    model: summaries[0]?.model ?? 'none',
    cached: written.length === 0,
  }
}
