interface Bar {
  key: string
  name: string
  value: number
}

interface BarChartProps {
  label: string
  bars: Bar[]
  format: (value: number) => string
}

/** Bars over time, and the same numbers as a table for those who cannot see them. */
export function BarChart({ label, bars, format }: BarChartProps) {
  const max = Math.max(...bars.map(({ value }) => value), 0)
  if (max === 0) {
    return (
      <p className="rounded-2xl border border-dashed border-line p-10 text-center text-sm text-muted">
        Nothing in these days.
      </p>
    )
  }
  return (
    <figure className="rounded-2xl border border-line bg-surface p-4">
      <div aria-hidden="true" className="flex gap-3">
        <div className="flex flex-col justify-between pb-5 text-end text-xs text-muted tabular-nums">
          <span>{format(max)}</span>
          <span>{format(0)}</span>
        </div>
        <div className="flex h-48 grow items-end gap-[3px] border-b border-line pb-px">
          {bars.map(({ key, name, value }) => (
            <div key={key} className="group relative flex h-full flex-1 items-end">
              <div
                className="w-full rounded-t-sm bg-accent/80 transition group-hover:bg-accent"
                style={{ height: value === 0 ? 0 : `max(2px, ${(value / max) * 100}%)` }}
              />
              <span className="pointer-events-none absolute bottom-full left-1/2 z-10 hidden -translate-x-1/2 rounded-md border border-line bg-surface px-2 py-1 text-xs whitespace-nowrap shadow-lg group-hover:block">
                {name}: {format(value)}
              </span>
            </div>
          ))}
        </div>
      </div>
      <figcaption className="mt-2 flex justify-between text-xs text-muted">
        <span>{bars[0]?.name}</span>
        <span>{bars.at(-1)?.name}</span>
      </figcaption>
      <table className="sr-only">
        <caption>{label}</caption>
        <tbody>
          {bars.map(({ key, name, value }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
