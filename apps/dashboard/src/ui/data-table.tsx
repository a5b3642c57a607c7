import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface DataTableProps {
  caption: string
  /** The first column names its row; numbers are aligned at the end. */
  columns: readonly { name: string; isNumber?: boolean }[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
  empty: string
}

/** A table of facts. */
export function DataTable({ caption, columns, rows, empty }: DataTableProps) {
  if (rows.length === 0) {
    return <p className="rounded-2xl border border-dashed border-line p-8 text-center text-sm text-muted">{empty}</p>
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
    <div tabIndex={0} className="overflow-x-auto rounded-2xl border border-line bg-surface">
      <table aria-label={caption} className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                scope="col"
                className={cx('px-4 py-2.5 font-medium whitespace-nowrap', isNumber ? 'text-end' : 'text-start')}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-b border-line align-top last:border-b-0">
              {cells.map((cell, index) => {
                const column = columns[index]
                return (
                  <td
                    key={column?.name}
                    className={cx(
                      'px-4 py-2.5',
                      column?.isNumber && 'text-end whitespace-nowrap tabular-nums',
                      index === 0 && 'font-medium wrap-anywhere',
                    )}
                  >
                    {cell}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
