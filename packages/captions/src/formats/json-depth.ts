const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
// `[` and `{` differ only in this bit, as do `]` and `}`.
const BRACE_BIT = 0x20
const OPENING = '{'.charCodeAt(0)
const CLOSING = '}'.charCodeAt(0)

/** Returns the index of the quote that ends the string begun at `start`. */
const endOfString = (json: string, start: number): number => {
  for (let at = start + 1; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === BACKSLASH) at++
    else if (char === QUOTE) return at
  }
  return json.length
}

/**
 * Throws `RangeError` if arrays and objects are nested more than `maxDepth` levels deep. `JSON.parse` has no such limit, and
 * needs 80 bytes of memory for each bracket of nested arrays.
 */
export const checkJsonDepth = (json: string, maxDepth: number): void => {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === QUOTE) at = endOfString(json, at)
    else if ((char | BRACE_BIT) === CLOSING) depth--
    else if ((char | BRACE_BIT) === OPENING && ++depth > maxDepth)
      throw new RangeError('The JSON is nested too deeply.')
  }
}
