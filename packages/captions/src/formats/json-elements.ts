const charCode = (char: string): number => char.charCodeAt(0)
const QUOTE = charCode('"')
const BACKSLASH = charCode('\\')
const COMMA = charCode(',')
const BRACKET = charCode('[')
// `[` and `{` differ only in this bit, as do `]` and `}`.
const BRACE_BIT = 0x20
const OPENING = charCode('{')
const CLOSING = charCode('}')

/** `JSON.parse` needs up to 80 bytes of memory for each byte of nested arrays, and 20 for small objects. */
const MAX_DEPTH = 64
const MAX_PARSED_CHARS = 1_000_000

const parsePart = (json: string): unknown => {
  if (json.length > MAX_PARSED_CHARS) throw new RangeError('A part of the JSON is too large.')
  return JSON.parse(json)
}

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
 * Parses the JSON of an object whose member `key` is a large array. Passes the elements of that array to `onElement` one by
 * one and returns the object with an empty array in its place, so that only one element at a time needs memory. Without such
 * a member, returns the whole value. Throws `SyntaxError` if the text is not JSON, `RangeError` if it is nested too deeply or
 * if an element, or everything else together, is too large.
 */
export const parseElements = (json: string, key: string, onElement: (element: unknown) => void): unknown => {
  let depth = 0
  let lastName = ''
  let arrayStart = -1
  let arrayEnd = -1
  let elementStart = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === QUOTE) {
      const end = endOfString(json, at)
      if (depth === 1) lastName = json.slice(at + 1, end)
      at = end
    } else if ((char | BRACE_BIT) === OPENING) {
      if (++depth > MAX_DEPTH) throw new RangeError('The JSON is nested too deeply.')
      if (depth === 2 && char === BRACKET && lastName === key && arrayStart < 0) arrayStart = elementStart = at + 1
    } else if ((char | BRACE_BIT) === CLOSING) {
      if (depth-- === 2 && arrayStart >= 0 && arrayEnd < 0) arrayEnd = at
    }
    const isWithin = arrayStart >= 0 && (arrayEnd < 0 || arrayEnd === at)
    if (isWithin && ((char === COMMA && depth === 2) || arrayEnd === at)) {
      const element = json.slice(elementStart, at)
      if (arrayEnd < 0 || elementStart > arrayStart || element.trim() !== '') onElement(parsePart(element))
      elementStart = at + 1
    }
  }
  if (arrayStart < 0) return parsePart(json)
  if (arrayEnd < 0) throw new SyntaxError('The JSON is truncated.')
  return parsePart(json.slice(0, arrayStart) + json.slice(arrayEnd))
}
