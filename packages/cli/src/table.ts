/** Lays out rows in columns, two spaces apart. The last column is not padded. */
export function formatTable(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Formats a time (ISO 8601) to the minute, in UTC. */
export const formatTime = (iso: string): string => iso.slice(0, 16).replace('T', ' ')
