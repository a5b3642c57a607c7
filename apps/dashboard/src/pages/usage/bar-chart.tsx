import { ScrollArea } from '../../ui/scroll-area.tsx'

interface Bar {
  key: string
  name: string
  value: number
}

interface BarChartProps {
  label: string
  bars: Bar[]
  /** `scale`: a number that is given as many digits as it needs; the value is given the same number of digits. */
  format: (value: number, scale?: number) => string
}

const STEPS = [1, 2, 5, 10]
const MAX_GRID_LINES = 5

/** Returns round numbers for the axis, from the first that is not below the largest value down to 0. */
function listTicks(values: number[]): number[] {
  const max = Math.max(...values)
  const unit = 10 ** Math.floor(Math.log10(max / MAX_GRID_LINES))
  const round = unit * (STEPS.find((factor) => factor * unit * MAX_GRID_LINES >= max) ?? 10)
  const step = values.every(Number.isInteger) ? Math.max(1, round) : round
  const count = Math.ceil(max / step)
  return Array.from({ length: count + 1 }, (_, index) => (count - index) * step)
}

/** Bars over time, and the same numbers as a table for those who cannot see them or want to copy them. */
export function BarChart({ label, bars, format }: BarChartProps) {
  const max = Math.max(...bars.map(({ value }) => value), 0)
  if (max === 0) {
    return (
      <p className="rounded-2xl border border-dashed border-line p-10 text-center text-sm text-muted">
        No usage yet. What you process appears here, day by day.
      </p>
    )
  }
  return (
    <figure className="rounded-2xl border border-line bg-surface p-5">
      <Plot bars={bars} format={format} />
      <details className="mt-3 text-sm">
        <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">Show as a table</summary>
        <ScrollArea className="mt-3 max-h-72 overflow-y-auto">
          <table className="w-full max-w-md">
            <caption className="sr-only">{label}</caption>
            <tbody>
              {bars.map(({ key, name, value }) => (
                <tr key={key} className="border-t border-line first:border-t-0">
                  <th scope="row" className="py-1.5 text-start font-normal text-muted">
                    {name}
                  </th>
                  <td className="py-1.5 text-end tabular-nums">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      </details>
    </figure>
  )
}

function Plot({ bars, format }: Pick<BarChartProps, 'bars' | 'format'>) {
  const ticks = listTicks(bars.map(({ value }) => value))
  const axisMax = ticks[0] ?? 1
  const scale = 10 * (ticks.at(-2) ?? 1)
  return (
    <div aria-hidden="true" className="grid grid-cols-[auto_1fr] gap-x-3">
      <div className="-my-2 flex flex-col justify-between text-end text-xs text-muted tabular-nums">
        {ticks.map((tick) => (
          <span key={tick}>{format(tick, scale)}</span>
        ))}
      </div>
      <div className="relative h-52">
        <div className="absolute inset-0 flex flex-col justify-between">
          {ticks.map((tick) => (
            <div key={tick} className="border-t border-line last:border-muted" />
          ))}
        </div>
        <div className="absolute inset-0 flex items-end gap-px sm:gap-1">
          {bars.map(({ key, ...bar }, index) => (
            <Column key={key} {...bar} format={format} share={bar.value / axisMax} isLate={index > bars.length / 2} />
          ))}
        </div>
      </div>
      <div className="col-start-2 mt-2 flex justify-between text-xs text-muted">
        <span>{bars[0]?.name}</span>
        <span className="max-sm:hidden">{bars[Math.floor(bars.length / 2)]?.name}</span>
        <span>{bars.at(-1)?.name}</span>
      </div>
    </div>
  )
}

interface ColumnProps extends Omit<Bar, 'key'> {
  format: (value: number) => string
  share: number
  /** Whether it is in the right half, where its label opens to the left. */
  isLate: boolean
}

function Column({ name, value, format, share, isLate }: ColumnProps) {
  return (
    <div className="group relative flex h-full flex-1 items-end rounded-sm hover:bg-sunken">
      <div
        className="w-full rounded-t-sm bg-chart transition-[filter] group-hover:brightness-110"
        style={{ height: value === 0 ? 0 : `max(3px, ${share * 100}%)` }}
      />
      <span
        className={`pointer-events-none absolute -top-2 z-10 hidden -translate-y-full rounded-lg border border-line bg-surface px-2.5 py-1.5 text-xs whitespace-nowrap shadow-lg group-hover:block ${isLate ? 'right-0' : 'left-0'}`}
      >
        <span className="block text-muted">{name}</span>
        <span className="font-medium tabular-nums">{format(value)}</span>
      </span>
    </div>
  )
}
