import type { Comparison, Figures, SideName } from './compare.ts'
import type { Quartiles } from './quartiles.ts'

const NAME_WIDTH = 52
const WIDTHS = [8, 12, 10, 36, 22]
const count = (value: number): string => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))
const millis = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(1))
const range = ({ low, median, high }: Quartiles, format: (value: number) => string): string =>
  `${format(median)} [${format(low)}-${format(high)}]`
const ratio = (value: number): string => value.toFixed(2)

const line = (name: string, cells: string[]): string =>
  name.padEnd(NAME_WIDTH) + cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join('')

export const TABLE_HEAD = line('', [
  'side',
  'per second',
  'median ms',
  'CPU us each (app+Postgres+Redis)',
  'ours / side',
])

const cellsOf = (name: SideName, { perSecond, medianMs, total, cost }: Figures, ours?: Quartiles): string[] => [
  name,
  count(perSecond),
  millis(medianMs),
  `${range(total, count)} (${[cost.app, cost.postgres, cost.redis].map((part) => Math.round(part)).join('+')})`,
  ours ? range(ours, ratio) : '',
]

/** Lays out one line for each side. */
export function tableLines(name: string, comparison: Comparison): string[] {
  const { cpuRatios } = comparison
  return (['ours', 'same', 'floor'] as const).flatMap((side) => {
    const figures = comparison[side]
    return figures ? [line(side === 'ours' ? name : '', cellsOf(side, figures, cpuRatios[side]))] : []
  })
}
