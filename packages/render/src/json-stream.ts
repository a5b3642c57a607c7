/** A part of a JSON value that is too large to hold in memory: its JSON text comes in pieces. */
class StreamedJson {
  readonly pieces: AsyncIterable<string>

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces
  }

  /** Reports a stream that would otherwise be written as an empty object. */
  toJSON(): never {
    throw new TypeError('A batch of streamArray must not contain streams. Yield them one by one.')
  }
}

/** JSON text that is also safe within a script: the two line separators of Unicode are escaped. */
const stringify = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'))

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const isStreamed = (value: unknown): boolean =>
  value instanceof StreamedJson ||
  (Array.isArray(value) && value.some(isStreamed)) ||
  (isPlainObject(value) && Object.values(value).some(isStreamed))

/**
 * Yields the JSON text of a value in pieces. The value is what `JSON.stringify` takes, and any of its parts, however deep
 * within plain objects and arrays, may be a stream made by `streamArray`, `streamString` or `streamJson`:
 *
 *     writeJson({ ID, title, segments: streamArray(batches) })
 */
export async function* writeJson(value: unknown): AsyncGenerator<string, void, undefined> {
  if (value instanceof StreamedJson) yield* value.pieces
  else if (!isStreamed(value)) yield stringify(value)
  else if (Array.isArray(value)) yield* writeList(value)
  else if (isPlainObject(value)) yield* writeObject(value)
}

async function* writeObject(object: Record<string, unknown>): AsyncGenerator<string> {
  let text = '{'
  let before = ''
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    text += `${before}${stringify(name)}:`
    before = ','
    if (isStreamed(value)) {
      yield text
      yield* writeJson(value)
      text = ''
    } else text += stringify(value)
  }
  yield `${text}}`
}

async function* writeList(items: unknown[]): AsyncGenerator<string> {
  for (const [index, item] of items.entries()) {
    yield index === 0 ? '[' : ','
    yield* writeJson(item)
  }
  yield ']'
}

async function* writeArray(source: AsyncIterable<unknown[] | StreamedJson>): AsyncGenerator<string> {
  let before = ''
  yield '['
  for await (const next of source) {
    if (next instanceof StreamedJson) {
      yield before
      yield* next.pieces
    } else {
      if (next.length === 0) continue
      yield before + next.map(stringify).join(',')
    }
    before = ','
  }
  yield ']'
}

async function* writeString(parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield '"'
  for await (const part of parts) yield stringify(part).slice('"'.length, -'"'.length)
  yield '"'
}

/** An array whose items arrive in batches of values without streams, or one by one as streams. */
export const streamArray = (source: AsyncIterable<unknown[] | StreamedJson>): StreamedJson =>
  new StreamedJson(writeArray(source))

/** A string that arrives in parts. */
export const streamString = (parts: AsyncIterable<string>): StreamedJson => new StreamedJson(writeString(parts))

/** A value whose JSON text is already written, such as the `data` that a renderer yields. */
export const streamJson = (pieces: AsyncIterable<string>): StreamedJson => new StreamedJson(pieces)
