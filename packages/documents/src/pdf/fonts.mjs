// The fonts of a PDF: which text each code of a glyph stands for, and further codes for further texts.
import { readStream, writeObject, writeStream } from './objects.mjs'

/** Codes from here on are aliases of glyphs. No document uses so many glyphs of one font. */
const FIRST_ALIAS = 0x8000
const MAX_ALIASES = 0x7fff
const BFCHARS_PER_BLOCK = 100

/**
 * @typedef {Map<string | undefined, Map<string, object>>} Shown by the text beside the glyphs, and by operands
 *
 * @typedef {{
 *   child: number, map: number, widths: Map<number, number>, texts: Map<number, string>, needsCarriers: boolean,
 *   aliases: Map<string, { code: number, glyph: number, text: string }>, shown: { forward: Shown, reversed: Shown, count: number }
 * }} PdfFont `child` and `map` are the numbers of objects; widths are thousandths of the font size; `needsCarriers` says whether the text of a glyph needs one; `shown` keeps the mapped operators that show text
 */

export const decodeHex = (hex) => Buffer.from(hex, 'hex').swap16().toString('utf16le')
export const encodeHex = (text) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
const hexCode = (code) => code.toString(16).padStart(4, '0').toUpperCase()

export const MARK = /\p{Mn}/u

/**
 * Firefox treats glyphs whose text contains a mark as marks without a width, and leaves out those whose text ends with a character
 * that cannot be seen, such as a soft hyphen. So a carrier has to follow with this rest of the text.
 */
export const REST = /\p{Mn}|\p{Cf}+$/u

export const needsCarrier = (text) => text !== undefined && text.length > 1 && REST.test(text)

/**
 * Returns a font, or undefined if it is not one whose codes are the glyphs of a TrueType font.
 *
 * @returns {PdfFont | undefined}
 */
export function readFont(objects, number) {
  const head = objects.get(number)?.head ?? ''
  const child = Number(/\/DescendantFonts \[(\d+) 0 R\]/.exec(head)?.[1])
  const map = Number(/\/ToUnicode (\d+) 0 R/.exec(head)?.[1])
  if (!/\/CIDToGIDMap \/Identity\b/.test(objects.get(child)?.head ?? '') || !objects.has(map)) return undefined
  const widths = new Map()
  const [, ranges] = /\/W \[([^\]]*)\]/.exec(objects.get(child).head) ?? ['', '']
  for (const [, first, last, width] of ranges.matchAll(/(\d+) (\d+) ([\d.]+)/g)) {
    for (let glyph = Number(first); glyph <= Number(last); glyph++) widths.set(glyph, Number(width))
  }
  const texts = new Map()
  for (const [, code, text] of readStream(objects.get(map)).matchAll(/^<([0-9A-F]{4})> <([0-9A-F]+)>$/gm)) {
    texts.set(Number.parseInt(code, 16), decodeHex(text))
  }
  const needsCarriers = [...texts].some(([code, text]) => needsCarrier(text) && (widths.get(code) ?? 0) > 0)
  return {
    child,
    map,
    widths,
    texts,
    needsCarriers,
    aliases: new Map(),
    shown: { forward: new Map(), reversed: new Map(), count: 0 },
  }
}

/** Returns the code of a glyph where it stands for `text`. */
export function codeOf(font, glyph, text) {
  if (font.texts.get(glyph) === text) return glyph
  const key = `${glyph} ${text}`
  const alias = font.aliases.get(key) ?? { code: FIRST_ALIAS + font.aliases.size, glyph, text }
  if (font.aliases.size >= MAX_ALIASES) return glyph
  font.aliases.set(key, alias)
  return alias.code
}

/** Writes the further codes of a font into its map of texts, its map of glyphs and its widths. */
export function writeAliases(objects, { child, map, widths, texts, aliases }) {
  const all = [...aliases.values()]
  const lines = all.map(({ code, text }) => `<${hexCode(code)}> <${encodeHex(text)}>`)
  let blocks = ''
  for (let at = 0; at < lines.length; at += BFCHARS_PER_BLOCK) {
    const block = lines.slice(at, at + BFCHARS_PER_BLOCK)
    blocks += `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`
  }
  const known = readStream(objects.get(map))
  const entries = '\n  /Type /CMap\n  /WMode 0'
  objects.set(
    map,
    writeStream(
      map,
      known.replace('endcmap', () => `${blocks}endcmap`),
      entries,
    ),
  )

  const glyphs = Buffer.alloc(2 * (FIRST_ALIAS + all.length))
  for (const glyph of [...widths.keys(), ...texts.keys()]) glyphs.writeUInt16BE(glyph, 2 * glyph)
  for (const { code, glyph } of all) glyphs.writeUInt16BE(glyph, 2 * code)
  const glyphMap = Math.max(...objects.keys()) + 1
  objects.set(glyphMap, writeStream(glyphMap, glyphs.toString('latin1')))

  const more = all.map(({ code, glyph }) => ` ${code} ${code} ${widths.get(glyph) ?? 0}`).join('')
  const { head } = objects.get(child)
  const named = head.replace('/CIDToGIDMap /Identity', `/CIDToGIDMap ${glyphMap} 0 R`)
  objects.set(child, writeObject(named.replace(/(\/W \[[^\]]*)\]/, (_, known) => `${known}${more}]`)))
  // This optional entry lists the codes of the font, and would now be incomplete.
  const descriptor = Number(/\/FontDescriptor (\d+) 0 R/.exec(head)?.[1])
  objects.set(descriptor, writeObject(objects.get(descriptor).head.replace(/\n\s*\/CIDSet \d+ 0 R/, '')))
}
