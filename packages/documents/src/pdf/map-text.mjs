// Makes the text of a PDF readable for programs that ignore /ActualText, such as Firefox and Apple's Preview.
import { codeOf, decodeHex, encodeHex, readFont, writeAliases } from './fonts.mjs'
import { readPdf, readStream, writePdf, writeStream } from './objects.mjs'
import { parseShow, writeShow } from './show-strings.mjs'

/** Text of a mark without a width that shows nothing of its own. Readers skip it. */
const NOTHING = '\u200b'
const MARK = /\p{Mn}/u
const POSITION = / (-?[\d.]+) (-?[\d.]+) Tm$/
/** Horizontal scale of text that only completes the text of the glyph before it, in percent. */
const CARRIER_SCALE = 0.01
/** Thousandths of the font size by which positions may differ. */
const TOLERANCE = 1

/**
 * A font maps each glyph to one text, but the same glyph stands for different texts: a vowel sign that is drawn before its
 * consonant, the letters of a conjunct, a hyphen. Typst writes the right text beside such glyphs (/ActualText), where few
 * programs look for it. This gives every use of a glyph a code of its own, which the font maps to the right text.
 *
 * @param {Buffer} pdf as Typst writes it
 * @returns {Buffer} the same pages; the same buffer if nothing had to be changed
 */
export function mapText(pdf) {
  const file = readPdf(pdf)
  const { objects } = file
  const fonts = new Map()
  for (const [number, { head }] of objects) {
    const [, names] = /\/Font <<([^>]*)>>/.exec(head) ?? []
    if (names === undefined) continue
    const numbers = new Map([...names.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name, font]) => [name, Number(font)]))
    const fontOf = (name) => {
      const font = numbers.get(name)
      if (!fonts.has(font)) fonts.set(font, readFont(objects, font))
      return fonts.get(font)
    }
    const contents = /\/Type \/Page\b/.test(head) ? Number(/\/Contents (\d+) 0 R/.exec(head)?.[1]) : number
    mapContents(objects, contents, fontOf)
  }
  const changed = [...fonts.values()].filter((font) => font?.aliases.size > 0)
  if (changed.length === 0) return pdf
  for (const font of changed) writeAliases(objects, font)
  return writePdf(file)
}

function mapContents(objects, number, fontOf) {
  const content = objects.has(number) ? readStream(objects.get(number)) : undefined
  if (content === undefined) return
  // Typst ends every line of a content stream at an operator, and strings have no line ends.
  const mapped = content.replace(/(?<=^BT\n)[\s\S]*?(?=^ET$)/gm, (block) => mapBlock(block, fontOf))
  if (mapped !== content) objects.set(number, writeStream(number, mapped))
}

/** Maps the text between BT and ET. */
function mapBlock(block, fontOf) {
  const lines = block
    .replace(/\/Span <<\n\s*\/ActualText (.*)\n>> BDC$/gm, '/ActualText $1')
    .trimEnd()
    .split('\n')
  const state = { font: undefined, size: 1, actual: undefined, reversed: false, pen: undefined }
  const open = []
  const written = []
  for (const line of lines) {
    const operator = line.slice(line.lastIndexOf(' ') + 1)
    if (line.startsWith('/ActualText ')) {
      state.actual = decodeText(line.slice('/ActualText '.length))
      open.push('actual')
    } else if (operator === 'BMC' || operator === 'BDC') {
      if (line === '/ReversedChars BMC') state.reversed = true
      open.push(line)
      written.push(line)
    } else if (line === 'EMC') {
      const closed = open.pop()
      if (closed === '/ReversedChars BMC') state.reversed = false
      if (closed !== 'actual') written.push(line)
      state.actual = undefined
    } else if (operator === 'Tf') {
      const [name, size] = line.split(' ')
      Object.assign(state, { size: Number(size), font: fontOf(name.slice(1)) })
      written.push(line)
    } else if (operator === 'Tm') {
      moveTo(line, state, written)
    } else if (operator === 'TJ' || operator === 'Tj') {
      const shown = mapShowOnce(line.slice(0, -operator.length), state)
      state.pen = { from: state.at, line: written.length, size: state.font && state.size, ...shown }
      written.push(state.pen.text)
    } else written.push(line)
  }
  // Neighbors that are both reversed are one word.
  return `${written.join('\n')}\n`.replaceAll('EMC\n/ReversedChars BMC\n', '')
}

/** Readers take a gap for a space: where the next text begins, the text before it must end. */
function moveTo(line, state, written) {
  const [, x, y] = POSITION.exec(line)
  const at = { x: Number(x), y: Number(y) }
  const { pen, size } = state
  if (pen && at.y === pen.from?.y && pen.size === size) {
    const missing = ((at.x - pen.from.x) / size) * 1_000 - pen.width
    if (Math.abs(missing) > TOLERANCE) written[pen.line] = pen.end(Math.round(-missing))
  }
  state.at = at
  state.pen = undefined
  written.push(line)
}

/** Words come again and again, and most of the time goes into them. */
const MAX_KNOWN = 20_000

/** Maps an operator that shows text, unless the font knows the result already. */
function mapShowOnce(operands, state) {
  const { font, actual, reversed } = state
  if (!font) return mapShow(operands, state)
  const key = `${reversed}\n${actual}\n${operands}`
  const known = font.shown.get(key)
  if (known) return known
  const shown = mapShow(operands, state)
  if (font.shown.size < MAX_KNOWN) font.shown.set(key, shown)
  return shown
}

/** Maps an operator that shows text. `end` returns it with a move at its end. */
function mapShow(operands, state) {
  const { font, actual } = state
  const parts = parseShow(operands)
  const width = parts.reduce(
    (sum, { code, move }) => sum + (move === undefined ? (font?.widths.get(code) ?? 0) : -move),
    0,
  )
  const shares = font && assignTexts(parts, state)
  if (!shares) {
    const asIs = (more) => `[${operands.trim().replace(/^\[|\]$/g, '')}${more}] TJ`
    return { text: asIs(''), width, end: (move) => asIs(` ${move}`) }
  }
  const shows = []
  let show = []
  for (const [index, part] of parts.entries()) {
    const [own, rest] = shares[index]
    if (part.move !== undefined) show.push(part)
    else if (rest === '') show.push({ code: codeOf(font, part.code, own) })
    else {
      const own1 = { code: codeOf(font, part.code, own) }
      const carrier = writeCarrier(codeOf(font, part.code, rest))
      if (actual === undefined) {
        if (show.length > 0) shows.push(writeShow(show))
        shows.push(writeActual(own + rest, `${writeShow([own1])}\n${carrier}`))
      } else shows.push(`${writeShow([...show, own1])}\n${carrier}`)
      show = []
    }
  }
  const isPlain = shows.length === 0 && shares.every(([own]) => own !== NOTHING)
  const write = (last) => {
    const text = [...shows, ...(show.length > 0 ? [writeShow(show)] : []), ...last].join('\n')
    return actual === undefined || (isPlain && last.length === 0) ? text : writeActual(actual, text)
  }
  const end = (move) => {
    const last = parts.findLast(({ code }) => code !== undefined).code
    // The span has to reach as far as its glyphs.
    return write([writeShow([{ move }]), ...(actual === undefined ? [] : [writeCarrier(codeOf(font, last, NOTHING))])])
  }
  return { text: write([]), width, end }
}

/** Other programs read this instead, and are confused by carriers. */
const writeActual = (text, shows) => `/Span <<\n  /ActualText <FEFF${encodeHex(text)}>\n>> BDC\n${shows}\nEMC`

/** Returns text that cannot be seen and takes no space. */
const writeCarrier = (code) => `3 Tr\n${CARRIER_SCALE} Tz\n${writeShow([{ code }])}\n100 Tz\n0 Tr`

/** Returns for each part its own text and the text that has to follow it, or undefined if the font has them right already. */
function assignTexts(parts, { font, actual, reversed }) {
  const isWide = (glyph) => (font.widths.get(glyph) ?? 0) > 0
  const glyphs = parts.flatMap(({ code }) => code ?? [])
  let shares
  if (actual === undefined) {
    shares = glyphs.map((glyph) => splitMarks(font.texts.get(glyph), isWide(glyph)))
    if (!shares.some(([, rest]) => rest !== '')) return undefined
  } else {
    shares = shareOut(actual, reversed ? glyphs.toReversed() : glyphs, isWide)
    if (reversed) shares.reverse()
  }
  let index = 0
  return parts.map(({ code }) => (code === undefined ? [] : shares[index++]))
}

/** Firefox takes glyphs whose text has a mark for marks without a width. */
const needsCarrier = (text) => text !== undefined && text.length > 1 && MARK.test(text)

/** Returns the text of a glyph itself, and the text that has to follow it. */
function splitMarks(text, isWide) {
  if (!isWide || !needsCarrier(text)) return [text ?? NOTHING, '']
  const at = text.search(MARK)
  return at === 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

/**
 * Divides a text among the glyphs that show it, each of which gets its own text and text that has to follow it. Glyphs with a
 * width take a letter each; marks go to those without.
 */
function shareOut(text, glyphs, wide) {
  const letters = [...text]
  const shares = glyphs.map((glyph) => {
    if (!wide(glyph)) return [letters.length > 0 && MARK.test(letters[0]) ? letters.shift() : NOTHING, '']
    let after = ''
    const own = letters.shift() ?? NOTHING
    while (letters.length > 0 && MARK.test(letters[0])) after += letters.shift()
    return [own, after]
  })
  const last = shares.findLast((_, index) => wide(glyphs[index])) ?? shares.at(-1)
  last[1] += letters.join('')
  return shares
}

function decodeText(value) {
  const [, hex] = /^<FEFF([0-9A-F]*)>$/.exec(value) ?? []
  return hex === undefined ? value.slice(1, -1).replace(/\\(.)/g, '$1') : decodeHex(hex)
}
