import type { Comparison, Figures } from './compare.ts'
import type { Quartiles } from './quartiles.ts'

const WIDTHS = [10, 12, 12, 10, 44, 22, 8]
const count = (value: number): string => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))
const millis = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(1))

export const formatRange = ({ low, median, high }: Quartiles, format: (value: number) => string): string =>
  `${format(median)} [${format(low)}-${format(high)}]`

export const formatRatio = (value: number): string => value.toFixed(2)

export const formatLine = (cells: string[], widths: readonly number[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join('')

const cellsOf = (name: string, { perSecond, medianMs, p99Ms, total, cost }: Figures): string[] => [
  name,
  count(perSecond),
  millis(medianMs),
  millis(p99Ms),
  `${formatRange(total, count)} (${[cost.app, cost.postgres, cost.redis].map((part) => Math.round(part)).join('+')})`,
]

/**
 * Lays out a comparison. CPU times are medians over rounds, and ratios over pairs of neighboring rounds, with their quartiles.
 * `goal`: the highest ratio that is good enough.
 */
export function formatComparison(title: string, other: string, comparison: Comparison, goal?: number): string {
  const head = ['', 'per second', 'median ms', 'p99 ms', 'CPU us each (app+Postgres+Redis)', `ours / ${other}`, 'goal']
  const ratio = [formatRange(comparison.ratio, formatRatio), goal === undefined ? '' : `<= ${goal}`]
  const lines = [head, [...cellsOf('ours', comparison.ours), ...ratio], cellsOf(other, comparison.other)]
  return [title, ...lines.map((cells) => formatLine(cells, WIDTHS).trimEnd())].join('\n')
}
