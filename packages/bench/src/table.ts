import { type Comparison, type Cost, totalCost } from './compare.ts'

const NAME_WIDTH = 46
const count = (value: number): string => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))
const ratio = (value: number): string => `${value.toFixed(2)}x`
const millis = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(1))
const parts = (cost: Cost): string =>
  `${count(totalCost(cost))} (${[cost.app, cost.postgres, cost.redis].map((part) => Math.round(part)).join('+')})`

const line = (cells: string[]): string => {
  const [name = '', ...rest] = cells
  const widths = [9, 9, 8, 8, 8, 28, 28, 8]
  return `${name.padEnd(NAME_WIDTH)}${rest.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('')}`
}

export const TABLE_HEAD = [
  line(['', 'a second', '', '', 'ms each', '', 'CPU us each (app+Postgres+Redis)', '', '']),
  line(['', 'ours', 'bare', 'ratio', 'ours', 'bare', 'ours', 'bare', 'ratio']),
].join('\n')

export const tableLine = (name: string, { ours, bare, rateRatio, cpuRatio }: Comparison): string =>
  line([
    name,
    count(ours.perSecond),
    count(bare.perSecond),
    ratio(rateRatio),
    millis(ours.medianMs),
    millis(bare.medianMs),
    parts(ours.cost),
    parts(bare.cost),
    ratio(cpuRatio),
  ])
