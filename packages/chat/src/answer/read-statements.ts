import type { CitedSegment } from '@subtext/evidence'
import { parseMarks } from './parse-marks.ts'

/** A statement of the model without its marks, and all of its marks. */
export interface Statement {
  text: string
  marks: CitedSegment[]
}

/** Turns the text of an answer, as it arrives, into statements. */
export interface StatementReader {
  /** Returns the statements that are complete. */
  push(text: string): Statement[]
  /** Returns the rest when the answer is over. */
  end(): Statement[]
}

/** Maximum length of a line: no genuine answer has a longer one. */
const MAX_LINE = 3_000
/** Longest end of a sentence, with closing quotation marks and spaces. */
const MAX_TERMINAL = 8
const TERMINAL = '.!?…。！？।؟'
const ENDS_SENTENCE = new RegExp(`[${TERMINAL}]["'”’»」』)]{0,3}\\s{0,3}$`, 'u')
const TERMINAL_NEXT = new RegExp(`^\\s{0,3}[${TERMINAL}]{1,3}`, 'u')
const BULLET = /^\s*(?:(?:[-*•#>]{1,6}|\d{1,2}[.)])\s+)+/u
const FORMAT_TAG = /<\/?(?:b|i|u|em|strong|code|p|br|ul|ol|li)\s?\/?>/gi
const EMPHASIS = /\*{2,3}|_{2,3}|`{1,3}/g

interface Group {
  start: number
  end: number
  marks: CitedSegment[]
}

/** Returns the groups of marks in a line that are complete. Brackets that follow each other are one group. */
function findGroups(line: string): Group[] {
  const groups: Group[] = []
  let open = line.indexOf('[')
  while (open >= 0) {
    const close = line.indexOf(']', open)
    if (close < 0) break
    // Of brackets within brackets, only the innermost can be marks.
    const start = line.lastIndexOf('[', close)
    const marks = parseMarks(line.slice(start + 1, close))
    const before = groups.at(-1)
    if (marks && before && line.slice(before.end, start).trim() === '') {
      before.end = close + 1
      before.marks.push(...marks)
    } else if (marks) groups.push({ start, end: close + 1, marks })
    open = line.indexOf('[', close)
  }
  return groups
}

/** Returns the end of the statement from `from` that a group completes, or -1 if the statement goes on, or may go on. */
function findEnd(line: string, from: number, { start, end }: Group, isWhole: boolean): number {
  const rest = line.slice(end)
  // More marks may follow.
  if (rest.trim() === '' || (rest.trimStart().startsWith('[') && !rest.includes(']'))) return -1
  if (ENDS_SENTENCE.test(line.slice(Math.max(from, start - MAX_TERMINAL), start))) return end
  const terminal = TERMINAL_NEXT.exec(rest)
  if (!terminal) return -1
  // A full stop may be the first of an ellipsis.
  if (terminal[0] === rest && !isWhole) return -1
  return end + terminal[0].length
}

/** Returns the statements of a line, and how much of it they take up. The last one of a `whole` line need not have an end. */
function splitLine(line: string, isWhole: boolean): { statements: Statement[]; read: number } {
  const groups = findGroups(line)
  const statements: Statement[] = []
  let read = 0
  let own: Group[] = []
  for (const group of groups) {
    own.push(group)
    const end = findEnd(line, read, group, isWhole)
    if (end < 0) continue
    statements.push(toStatement(line, read, end, own))
    read = end
    own = []
  }
  if (isWhole) statements.push(toStatement(line, read, line.length, own))
  return { statements, read }
}

function toStatement(line: string, from: number, to: number, groups: Group[]): Statement {
  let text = ''
  let begin = from
  for (const { start, end } of groups) {
    text += line.slice(begin, start).trimEnd()
    begin = end
  }
  text += line.slice(begin, to)
  return {
    text: text.replace(BULLET, '').replace(FORMAT_TAG, '').replace(EMPHASIS, '').trim(),
    marks: groups.flatMap(({ marks }) => marks),
  }
}

/**
 * Creates a reader. A statement is complete as soon as its sentence has ended and something other than marks follows: the
 * end of its line, or the first letter of the next sentence.
 */
export function createStatementReader(): StatementReader {
  let rest = ''
  /** Whether the beginning of the line was too long and was dropped. */
  let isSkipping = false

  const take = (text: string, isOver: boolean): Statement[] => {
    const lines = (rest + text).split('\n')
    rest = isOver ? '' : (lines.pop() ?? '')
    const statements: Statement[] = []
    for (const line of lines) {
      if (!isSkipping && line.length <= MAX_LINE) statements.push(...splitLine(line, true).statements)
      isSkipping = false
    }
    if (rest !== '' && !isSkipping) {
      const { statements: complete, read } = splitLine(rest.slice(0, MAX_LINE), false)
      statements.push(...complete)
      rest = rest.slice(read)
    }
    if (rest.length > MAX_LINE) isSkipping = true
    if (isSkipping) rest = ''
    return statements.filter((statement) => statement.text !== '')
  }
  return { push: (text) => take(text, false), end: () => take('', true) }
}
