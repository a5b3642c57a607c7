import type { ExtractionContent, VideoTable } from '@subtext/contracts'
import type { FilledTable } from '@subtext/core/tables'
import { buildWatchUrl, escapeCell, guardCell, writeCsvRows } from '@subtext/render'

type Row = VideoTable['rows'][number]
type Cell = Row['cells'][string]

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

function presentCell({ data, evidence }: ExtractionContent, property: string, place: string): Cell {
  const value = (data as Record<string, unknown>)[property]
  if (isEmpty(value)) return null
  const pointer = `/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const lines = Object.entries(evidence)
    .filter(([at]) => at === pointer || at.startsWith(`${pointer}/`))
    .flatMap(([, found]) => found)
  const distinct = new Map(lines.map((line) => [line.segmentId, line]))
  return {
    value,
    citations: [...distinct.values()].map(({ segmentId, startMs, quote }) => ({
      segment_id: segmentId,
      start: startMs / 1_000,
      url: buildWatchUrl(place, startMs),
      quote,
    })),
  }
}

/** Presents a table. A row whose job was deleted is empty. */
export function presentTable({ table, rows }: FilledTable): VideoTable {
  const isRunning = rows.some(({ status }) => status === 'queued' || status === 'processing')
  return {
    table_id: table.id,
    status: isRunning ? 'processing' : 'completed',
    columns: table.columns.map(({ title }) => title),
    rows: table.rows.map(({ jobId, videoId }, index): Row => {
      const row = rows[index]
      const content = row?.exists ? row.content : null
      const cells = table.columns.map(({ title, property }): [string, Cell] => [
        title,
        content ? presentCell(content, property, row?.videoUrl ?? videoId) : null,
      ])
      return {
        job_id: jobId,
        video_id: videoId,
        video_url: buildWatchUrl(row?.videoUrl ?? videoId),
        video_title: row?.videoTitle ?? null,
        cells: Object.fromEntries(cells),
      }
    }),
    created_at: table.createdAt.toISOString(),
  }
}

const isScalar = (value: unknown): boolean => typeof value !== 'object'

/** Writes a value as text: lists of texts line by line, anything deeper as JSON. */
function writeValue(value: unknown): string {
  if (isEmpty(value)) return ''
  if (isScalar(value)) return String(value)
  return Array.isArray(value) && value.every(isScalar) ? value.join('; ') : JSON.stringify(value)
}

const FIXED = ['video_title', 'video_url']

const listCells = ({ columns, rows }: VideoTable): string[][] => [
  [...FIXED, ...columns],
  ...rows.map(({ video_id, video_url, video_title, cells }) => [
    video_title ?? video_id,
    video_url,
    ...columns.map((column) => writeValue(cells[column]?.value)),
  ]),
]

export const renderTableCsv = (table: VideoTable): string =>
  writeCsvRows(listCells(table).map((row) => row.map(guardCell)))

export function renderTableMarkdown(table: VideoTable): string {
  const [head = [], ...rows] = listCells(table)
  const write = (cells: string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return `${[write(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(write)].join('\n')}\n`
}
