import { type Comparison, type Cost, totalCost } from './compare.ts'

const NAME_WIDTH = 46
const count = (value: number): string => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))
const ratio = (value: number): string => `${value.toFixed(2)}x`
const millis = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(1))
const parts = (cost: Cost): string =>
  `${count(totalCost(cost))} (${[cost.app, cost.postgres, cost.redis].map((part) => Math.round(part)).join('+')})`

const line = (cells: string[]): string => {
  const [name = '', ...rest] = cells
  const widths = [10, 10, 8, 10, 10, 28, 28, 8]
  return `${name.padEnd(NAME_WIDTH)}${rest.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('')}`
}

export const TABLE_HEAD = [
  line(['', 'per second', '', '', 'median ms', '', 'CPU us each (app+Postgres+Redis)', '', '']),
  line(['', 'ours', 'baseline', 'ratio', 'ours', 'baseline', 'ours', 'baseline', 'ratio']),
].join('\n')

export const tableLine = (name: string, { ours, baseline, rateRatio, cpuRatio }: Comparison): string =>
  line([
    name,
    count(ours.perSecond),
    count(baseline.perSecond),
    ratio(rateRatio),
    millis(ours.medianMs),
    millis(baseline.medianMs),
    parts(ours.cost),
    parts(baseline.cost),
    ratio(cpuRatio),
  ])
