import type { ReceiptLine } from '@subtext/contracts'

interface Sums {
  lines: ReceiptLine[]
  total: { cost_usd: number; tokens: number }
  quota_effect: number
}

const MICRO = 1_000_000

/** Adds up the lines of a receipt. Costs are added in millionths of a dollar, in which they are stored. */
export function totalLines(lines: ReceiptLine[]): Sums {
  const sum = (amount: (line: ReceiptLine) => number): number => lines.reduce((total, line) => total + amount(line), 0)
  return {
    lines,
    total: {
      cost_usd: sum(({ cost_usd }) => Math.round(cost_usd * MICRO)) / MICRO,
      tokens: sum(({ unit, quantity }) => (unit === 'token' ? quantity : 0)),
    },
    quota_effect: sum(({ unit, quantity }) => (unit === 'video' ? quantity : 0)),
  }
}
