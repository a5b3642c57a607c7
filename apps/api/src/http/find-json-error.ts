/** The place where a text stops being JSON, and what would have been allowed there. */
export interface JsonError {
  /** Counted from 1. */
  line: number
  /** Counted from 1, in UTF-16 code units. */
  column: number
  /** Completes "expected ...". */
  expected: string
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const CHARACTERS = /[^"\\\u0000-\u001f]+/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Thrown at the first mistake. */
class Unexpected extends Error {
  readonly expected: string

  constructor(expected: string) {
    super(`expected ${expected}`)
    this.expected = expected
  }
}

class Scanner {
  at = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Moves past what the expression finds here. Returns whether it finds anything. */
  skip(expression: RegExp): boolean {
    expression.lastIndex = this.at
    if (!expression.test(this.text)) return false
    this.at = expression.lastIndex
    return true
  }

  /** Returns the next character that is not white space. */
  next(): string | undefined {
    this.skip(SPACE)
    return this.text[this.at]
  }

  /** Moves past a character if it is the next one. Returns whether it is. */
  accept(character: string): boolean {
    if (this.next() !== character) return false
    this.at++
    return true
  }

  expect(character: string): void {
    if (!this.accept(character)) throw new Unexpected(`\`${character}\``)
  }
}

function readString(scanner: Scanner): void {
  scanner.at++
  while (scanner.skip(CHARACTERS) || scanner.skip(ESCAPE)) {
    // Each step moves on.
  }
  const character = scanner.text[scanner.at]
  if (character === '\\') throw new Unexpected('an escape sequence that JSON has')
  if (character !== '"') throw new Unexpected('`"` at the end of the string')
  scanner.at++
}

/** Reads the entries of a list or an object up to its end. */
function readEntries(scanner: Scanner, end: ']' | '}', readEntry: () => void): void {
  scanner.at++
  if (scanner.accept(end)) return
  do readEntry()
  while (scanner.accept(','))
  if (!scanner.accept(end)) throw new Unexpected(`\`,\` or \`${end}\``)
}

function readMember(scanner: Scanner): void {
  if (scanner.next() !== '"') throw new Unexpected('a name in double quotes')
  readString(scanner)
  scanner.expect(':')
  readValue(scanner)
}

function readValue(scanner: Scanner): void {
  const first = scanner.next()
  if (first === '"') readString(scanner)
  else if (first === '{') readEntries(scanner, '}', () => readMember(scanner))
  else if (first === '[') readEntries(scanner, ']', () => readValue(scanner))
  else if (!scanner.skip(NUMBER) && !scanner.skip(WORD)) throw new Unexpected('a value')
}

function locate(text: string, at: number): Pick<JsonError, 'line' | 'column'> {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return { line, column: at - start + 1 }
}

/**
 * Returns the first place where a text is not JSON (RFC 8259), or null if it is JSON. `JSON.parse` of Node.js 20 often does
 * not say where. Takes linear time, and a frame of the stack for each level of nesting.
 */
export function findJsonError(text: string): JsonError | null {
  const scanner = new Scanner(text)
  try {
    readValue(scanner)
    if (scanner.next() !== undefined) throw new Unexpected('the end of the text')
    return null
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    return { ...locate(text, scanner.at), expected: error.expected }
  }
}
