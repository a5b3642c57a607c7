import { Subtext } from '@subtext/sdk'
import type { ChaosAccount } from './accounts.ts'

/** More hours than a run takes. */
const HOURS = 6
const MICRO = 1_000_000

interface Sums {
  micro_usd: number
  tokens: number
  videos: number
}

/**
 * Compares the receipts of each account with its usage history, hour by hour, as the account sees both. Returns the hours in
 * which they differ.
 */
export async function checkReceipts(baseUrl: string, accounts: Iterable<ChaosAccount>) {
  const different: object[] = []
  let compared = 0
  for (const { name, key } of accounts) {
    const { usage } = new Subtext({ apiKey: key, baseUrl })
    const { periods } = await usage.history({ granularity: 'hourly', limit: HOURS })
    for (const { start_date, end_date, total_cost, total_tokens, videos_processed } of periods) {
      const history: Sums = {
        micro_usd: Math.round(total_cost * MICRO),
        tokens: total_tokens,
        videos: videos_processed,
      }
      const receipts = await addUp(usage, start_date, end_date)
      if (receipts.micro_usd + history.micro_usd > 0) compared++
      if (JSON.stringify(receipts) !== JSON.stringify(history)) {
        different.push({ account: name, hour: start_date, receipts, history })
      }
    }
  }
  return { different, compared }
}

async function addUp(usage: Subtext['usage'], startDate: string, endDate: string): Promise<Sums> {
  const sums: Sums = { micro_usd: 0, tokens: 0, videos: 0 }
  for await (const { total, subject, outcome } of usage.receipts({ startDate, endDate })) {
    sums.micro_usd += Math.round(total.cost_usd * MICRO)
    sums.tokens += total.tokens
    if (subject === 'job' && outcome === 'completed') sums.videos++
  }
  return sums
}
