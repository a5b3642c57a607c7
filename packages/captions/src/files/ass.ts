import { roundMilliseconds, toMilliseconds } from './clock.ts'
import { listLines } from './lines.ts'
import { type RawCaptions, type RawCue, refuseTooMany } from './raw-cue.ts'

const TIME = /^\s*(\d{1,6}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,3}))?\s*$/
/** Columns that a row may have. No file has more than a dozen. */
const MAX_COLUMNS = 50
const readColumns = (row: string): string[] => row.split(',', MAX_COLUMNS).map((name) => name.trim().toLowerCase())
const DEFAULT_COLUMNS = readColumns('Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text')
const ROW = /^(Format|Dialogue):(.*)$/
/** A row that draws shapes: its text is coordinates. */
const DRAWING = /\\p[1-9]/
const OVERRIDES = /\{[^{}]*\}/g

const parseTime = (text = ''): number | null => {
  const [, hours, minutes, seconds, fraction] = TIME.exec(text) ?? []
  const value = seconds === undefined ? null : toMilliseconds(hours, minutes, seconds, fraction)
  return value === null ? null : roundMilliseconds(value)
}

/** Splits a row at its first commas. The last column contains the rest, commas included. */
function splitRow(row: string, columns: number): string[] {
  const cells = row.split(',')
  return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(',')]
}

function readRow(row: string, columns: string[]): RawCue | null {
  const cells = splitRow(row, columns.length)
  const cell = (...names: string[]): string | undefined => cells[columns.findIndex((name) => names.includes(name))]
  const [startMs, endMs] = [parseTime(cell('start')), parseTime(cell('end'))]
  const text = cell('text') ?? ''
  if (startMs === null || endMs === null || DRAWING.test(text)) return null
  const plain = text
    .replace(OVERRIDES, '')
    .replace(/\\[Nn]/g, '\n')
    .replace(/\\h/g, ' ')
  return { startMs, endMs, text: plain, speaker: cell('name', 'actor')?.trim() || undefined }
}

/** Reads SubStation Alpha (ASS and SSA). Rows without valid times are left out. */
export function readAss(document: string): RawCaptions {
  const cues: RawCue[] = []
  let columns = DEFAULT_COLUMNS
  let isInEvents = false
  for (const { number, text } of listLines(document)) {
    if (text.startsWith('[')) isInEvents = /^\[events\]/i.test(text)
    const [, kind, cells = ''] = (isInEvents && ROW.exec(text)) || []
    const row = cells.trimStart()
    if (kind === 'Format') columns = readColumns(row)
    const cue = kind === 'Dialogue' ? readRow(row, columns) : null
    if (cue) cues.push(cue)
    refuseTooMany(cues.length, number)
  }
  return { cues }
}
