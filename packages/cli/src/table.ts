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

/** Formats a time (ISO 8601) to the minute, by the clock of the reader, with its difference from UTC. */
export function formatTime(iso: string): string {
  const time = new Date(iso)
  const ahead = -time.getTimezoneOffset()
  const local = new Date(time.getTime() + ahead * 60_000).toISOString().slice(0, 16).replace('T', ' ')
  return `${local} ${nameZone(ahead)}`
}

function nameZone(ahead: number): string {
  if (ahead === 0) return 'UTC'
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `UTC${ahead < 0 ? '-' : '+'}${hours}:${minutes}`
}

/** Returns a text of strangers in one line, so that it keeps its place in a table. */
export const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
