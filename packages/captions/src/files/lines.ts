/** A line of a file, without its end. `number` counts from 1. */
export interface TextLine {
  number: number
  text: string
}

/** Yields the lines of a text one by one: the list of all of them may need far more memory than the text. */
export function* listLines(text: string): Generator<TextLine> {
  const lineEnd = /\r\n|\n|\r/g
  let start = 0
  let number = 1
  for (let found = lineEnd.exec(text); found; found = lineEnd.exec(text)) {
    yield { number, text: text.slice(start, found.index) }
    start = lineEnd.lastIndex
    number++
  }
  yield { number, text: text.slice(start) }
}

/** Returns the number of the line with the character at `offset`. */
export const lineAt = (text: string, offset: number): number =>
  (text.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0) + 1
