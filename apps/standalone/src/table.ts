/** Addresses that were stored before they were checked must not steer the terminal, or reverse the direction of text. */
const toVisible = (text: string): string => text.replace(/\p{C}/gu, '?')

export type Columns<Row> = [title: string, cell: (row: Row) => string][]

/** Formats a time in UTC to the minute; uses of keys are recorded no more precisely. */
export const minute = (time: Date | null): string =>
  time ? time.toISOString().slice(0, 16).replace('T', ' ') : 'never'

/** Formats rows as a table for people. */
export function formatTable<Row>(columns: Columns<Row>, entries: readonly Row[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...entries.map((row) => columns.map(([, cell]) => toVisible(cell(row)))),
  ]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
