import { ScrollArea } from '../../ui/scroll-area.tsx'

export interface BarRow {
  key: string
  name: string
  /** Length of the bar. */
  value: number
  /** What the other columns show. */
  cells: string[]
}

interface BarTableProps {
  caption: string
  /** Headings of the columns: the name, the bar, then the others. */
  columns: [string, string, ...string[]]
  rows: BarRow[]
  format: (value: number) => string
  empty: string
}

/** A table whose rows have bars, so that it can be read as a chart and as a table. */
export function BarTable({ caption, columns: [nameColumn, barColumn, ...others], rows, format, empty }: BarTableProps) {
  if (rows.length === 0) {
    return <p className="rounded-2xl border border-dashed border-line p-8 text-center text-sm text-muted">{empty}</p>
  }
  const max = Math.max(...rows.map(({ value }) => value), 0) || 1
  return (
    <ScrollArea className="overflow-x-auto rounded-2xl border border-line bg-surface px-5 py-3">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="py-2 text-start font-medium">
              {nameColumn}
            </th>
            <th scope="col" className="py-2 text-end font-medium">
              {barColumn}
            </th>
            {others.map((name) => (
              <th key={name} scope="col" className="py-2 ps-5 text-end font-medium whitespace-nowrap max-sm:hidden">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, value, cells }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="w-full py-2.5 text-start font-normal wrap-anywhere">
                {name}
                <span aria-hidden="true" className="mt-1.5 block h-1.5 rounded-full bg-sunken">
                  <span
                    className="block h-full rounded-full bg-chart"
                    style={{ width: value === 0 ? 0 : `max(3px, ${(value / max) * 100}%)` }}
                  />
                </span>
              </th>
              <td className="py-2.5 ps-5 text-end align-top font-medium whitespace-nowrap tabular-nums">
                {format(value)}
              </td>
              {cells.map((cell, index) => (
                <td
                  key={others[index]}
                  className="py-2.5 ps-5 text-end align-top whitespace-nowrap text-muted tabular-nums max-sm:hidden"
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
