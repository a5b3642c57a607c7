// The operands of the operators that show text: strings of two-byte codes, and moves between them.

const ESCAPES = { n: 10, r: 13, t: 9, b: 8, f: 12 }
const NUMBER = /-?\d*\.?\d+/y

/**
 * Returns the codes and the moves (in thousandths of the font size, to the left) of an operator that shows text, in order.
 *
 * @param {string} operands @returns {({ code: number } | { move: number })[]}
 */
export function parseShow(operands) {
  const parts = []
  for (let at = 0; at < operands.length; ) {
    const char = operands[at]
    if (char === '(' || char === '<') {
      const { bytes, to } = char === '<' ? readHexString(operands, at) : readLiteralString(operands, at)
      for (let index = 0; index + 1 < bytes.length; index += 2)
        parts.push({ code: bytes[index] * 256 + bytes[index + 1] })
      at = to
      continue
    }
    NUMBER.lastIndex = at
    const [number] = NUMBER.exec(operands) ?? []
    if (number !== undefined) parts.push({ move: Number(number) })
    at += number?.length ?? 1
  }
  return parts
}

/** Returns the operator that shows such parts. */
export function writeShow(parts) {
  let operands = ''
  let hex = ''
  const endString = () => {
    if (hex !== '') operands += `<${hex}>`
    hex = ''
  }
  for (const { code, move } of parts) {
    if (code !== undefined) hex += code.toString(16).padStart(4, '0').toUpperCase()
    else {
      endString()
      operands += ` ${move} `
    }
  }
  endString()
  return `[${operands}] TJ`
}

function readHexString(text, from) {
  const to = text.indexOf('>', from) + 1
  return { bytes: [...Buffer.from(text.slice(from + 1, to - 1), 'hex')], to }
}

function readLiteralString(text, from) {
  const bytes = []
  let depth = 1
  let at = from + 1
  for (; depth > 0 && at < text.length; at++) {
    const char = text[at]
    if (char === '\\') {
      const [octal] = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4)) ?? []
      bytes.push(octal === undefined ? (ESCAPES[text[at + 1]] ?? text.charCodeAt(at + 1)) : Number.parseInt(octal, 8))
      at += octal?.length ?? 1
      continue
    }
    if (char === '(') depth++
    if (char === ')') depth--
    if (depth > 0) bytes.push(text.charCodeAt(at))
  }
  return { bytes, to: at }
}
