// Makes the text of a PDF readable for programs that ignore /ActualText, such as Firefox and Apple's Preview.
import { codeOf, decodeHex, encodeHex, MARK, needsCarrier, REST, readFont, writeAliases } from './fonts.mjs'
import { readPdf, readStream, writePdf, writeStream } from './objects.mjs'
import { parseShow, writeShow } from './show-strings.mjs'

/** Text of a mark without a width that shows nothing of its own. Readers skip it. */
const NOTHING = '\u200b'
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
  const mapped = mapBlocks(content, fontOf)
  if (mapped !== content) objects.set(number, writeStream(number, mapped))
}

/** Maps the text between each BT and ET. Typst ends every line at an operator, and strings have no line ends. */
function mapBlocks(content, fontOf) {
  const written = []
  let copied = 0
  const nextBlock = (from) => {
    if (content.startsWith('BT\n', from)) return from + 3
    const at = content.indexOf('\nBT\n', from)
    return at < 0 ? at : at + 4
  }
  for (let from = nextBlock(0); from >= 0; from = nextBlock(copied)) {
    const to = content.indexOf('\nET\n', from - 1) + 1
    if (to === 0) break
    const block = content.slice(from, to)
    if (needsMapping(block, fontOf)) written.push(content.slice(copied, from), ...mapBlock(block, fontOf))
    else written.push(content.slice(copied, to))
    copied = to
  }
  return written.join('') + content.slice(copied)
}

const FONT = /^\/(\w+) [\d.]+ Tf$/m

/** A single piece of text that every reader understands stays as it is. */
function needsMapping(block, fontOf) {
  if (block.includes('/ActualText ') || block.indexOf(' Tm\n') !== block.lastIndexOf(' Tm\n')) return true
  return fontOf(FONT.exec(block)?.[1])?.needsCarriers ?? false
}

const ACTUAL_TEXT = '/Span <<\n  /ActualText '
const SPAN_END = '\n>> BDC\n'
const REVERSED = '/ReversedChars BMC\n'
const [F, J, LOWER_J, M, R, T] = ['f', 'J', 'j', 'm', 'r', 'T'].map((letter) => letter.charCodeAt(0))

/** Maps the text between BT and ET. Returns lines with their ends. It sees hundreds of thousands of lines. */
function mapBlock(block, fontOf) {
  const state = {
    font: undefined,
    size: 1,
    actual: undefined,
    reversed: false,
    endOfReversed: -1,
    at: undefined,
    pen: undefined,
  }
  const written = []
  const open = []
  let [font, mode] = ['', '']
  for (let at = 0, to = 0; at < block.length; at = to) {
    if (block.startsWith(ACTUAL_TEXT, at)) {
      const end = block.indexOf(SPAN_END, at)
      state.actual = block.slice(at + ACTUAL_TEXT.length, end)
      open.push(ACTUAL_TEXT)
      to = end + SPAN_END.length
      continue
    }
    to = block.indexOf('\n', at) + 1
    const line = block.slice(at, to)
    const letter = block.charCodeAt(to - 3) === T ? block.charCodeAt(to - 2) : 0
    if (letter === J || letter === LOWER_J) {
      const shown = mapShowOnce(line.slice(0, -3), state)
      state.pen = { from: state.at, index: written.length, size: state.font && state.size, shown }
      written.push(shown.text)
    } else if (letter === M) moveTo(line, state, written)
    else if (letter === F) {
      // Typst repeats fonts and modes for each piece of text.
      if (line === font) continue
      font = line
      setFont(line, state, fontOf)
      written.push(line)
    } else if (letter === R) {
      // Carriers leave this behind.
      if (line === mode && line === '0 Tr\n') continue
      mode = line
      written.push(line)
    } else if (line === 'EMC\n') endSpan(open.pop(), state, written)
    else beginSpan(line, state, { written, open })
  }
  return written
}

function setFont(line, state, fontOf) {
  const space = line.indexOf(' ')
  state.font = fontOf(line.slice(1, space))
  state.size = Number(line.slice(space + 1, -' Tf\n'.length))
}

/** Handles any other line, such as one that begins a span. */
function beginSpan(line, state, { written, open }) {
  if (line.endsWith(' BMC\n') || line.endsWith(' BDC\n')) open.push(line)
  // Neighbors that are both reversed are one word.
  if (line === REVERSED && state.endOfReversed === written.length) written.pop()
  else written.push(line)
  state.reversed ||= line === REVERSED
}

function endSpan(closed, state, written) {
  // `mapShow` writes the texts that readers are told beside the glyphs.
  if (closed !== ACTUAL_TEXT) written.push('EMC\n')
  if (closed === REVERSED) Object.assign(state, { reversed: false, endOfReversed: written.length })
  state.actual = undefined
}

/** Readers treat a gap as a space, so the text must end where the next text begins. */
function moveTo(line, state, written) {
  const end = line.length - ' Tm\n'.length
  const space = line.lastIndexOf(' ', end - 1)
  const at = { x: Number(line.slice(line.lastIndexOf(' ', space - 1) + 1, space)), y: line.slice(space + 1, end) }
  const { pen, size } = state
  if (pen && at.y === pen.from?.y && pen.size === size) {
    const missing = ((at.x - pen.from.x) / size) * 1_000 - pen.shown.width()
    if (Math.abs(missing) > TOLERANCE) written[pen.index] = pen.shown.end(Math.round(-missing))
  }
  state.at = at
  state.pen = undefined
  written.push(line)
}

/** Words repeat, and mapping them takes most of the time. */
const MAX_KNOWN = 20_000

/** Maps an operator that shows text, unless the font has the result already. */
function mapShowOnce(operands, state) {
  const { font, actual, reversed } = state
  if (!font) return mapShow(operands, state)
  const kind = reversed ? font.shown.reversed : font.shown.forward
  const known = kind.get(actual) ?? new Map()
  kind.set(actual, known)
  let shown = known.get(operands)
  if (!shown) {
    shown = mapShow(operands, { ...state, actual: actual && decodeText(actual) })
    if (font.shown.count++ < MAX_KNOWN) known.set(operands, shown)
  }
  return shown
}

/** Maps an operator that shows text. Returns lines; `end` returns them with a move at their end. */
function mapShow(operands, state) {
  const { font, actual } = state
  const asIs = (more) => `[${operands.trim().replace(/^\[|\]$/g, '')}${more}] TJ\n`
  const plain = {
    text: asIs(''),
    width: once(() => widthOf(parseShow(operands), font)),
    end: (move) => asIs(` ${move}`),
  }
  if (!font || (actual === undefined && !font.needsCarriers)) return plain
  const parts = parseShow(operands)
  const shares = assignTexts(parts, state)
  if (!shares) return plain
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
    return `${actual === undefined || (isPlain && last.length === 0) ? text : writeActual(actual, text)}\n`
  }
  const end = (move) => {
    const last = parts.findLast(({ code }) => code !== undefined).code
    // The span has to reach as far as its glyphs.
    return write([writeShow([{ move }]), ...(actual === undefined ? [] : [writeCarrier(codeOf(font, last, NOTHING))])])
  }
  return { text: write([]), width: once(() => widthOf(parts, font)), end }
}

const widthOf = (parts, font) =>
  parts.reduce((sum, { code, move }) => sum + (move === undefined ? (font?.widths.get(code) ?? 0) : -move), 0)

function once(compute) {
  let value
  return () => (value ??= compute())
}

/** Other programs read this instead, and would be confused by carriers. */
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

/** Returns the text of a glyph itself, and the text that has to follow it. */
function splitMarks(text, isWide) {
  if (!isWide || !needsCarrier(text)) return [text ?? NOTHING, '']
  const at = text.search(REST)
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
