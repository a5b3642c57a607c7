import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { ScrollArea } from './scroll-area.tsx'

export interface DataColumn {
  name: string
  /** Numbers are aligned at the end. */
  isNumber?: boolean
  /** The width of the window from which the column is shown. By default, it always is. */
  from?: 'sm' | 'md' | 'lg'
}

interface DataTableProps {
  caption: string
  /** The first column names its row. */
  columns: readonly DataColumn[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
  empty: string
}

const HIDDEN = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden' }

const columnClass = ({ isNumber, from }: DataColumn): string =>
  cx('px-4', isNumber ? 'text-end whitespace-nowrap tabular-nums' : 'text-start', from && HIDDEN[from])

/** A table of facts. */
export function DataTable({ caption, columns, rows, empty }: DataTableProps) {
  if (rows.length === 0) {
    return <p className="rounded-2xl border border-dashed border-line p-8 text-center text-sm text-muted">{empty}</p>
  }
  return (
    <ScrollArea className="overflow-x-auto rounded-2xl border border-line bg-surface">
      <table aria-label={caption} className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={cx('py-2.5 font-medium whitespace-nowrap', columnClass(column))}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-b border-line align-top last:border-b-0">
              {columns.map((column, index) => (
                <td
                  key={column.name}
                  className={cx('py-3', columnClass(column), index === 0 && 'min-w-24 font-medium wrap-anywhere')}
                >
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
