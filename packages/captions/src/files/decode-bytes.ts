import { analyse } from 'chardet'
import { lineAt } from './lines.ts'
import { refuseBinary, refuseBinaryBytes } from './refuse-binary.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

export interface DecodedText {
  text: string
  /** The name of the encoding that was recognized, as of `TextDecoder`. */
  encoding: string
}

const startsWith = (bytes: Uint8Array, ...mark: number[]): boolean => mark.every((byte, at) => bytes[at] === byte)

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  for (let at = 4; at + 4 <= bytes.byteLength; at += 4) {
    const codePoint = view.getUint32(at, isLittle)
    text += String.fromCodePoint(codePoint <= 0x10ffff ? codePoint : 0xfffd)
  }
  return text
}

const decode = (bytes: Uint8Array, encoding: string): DecodedText => ({
  text: new TextDecoder(encoding).decode(bytes),
  encoding,
})

/** Decodes a text that says its encoding with a byte order mark. */
function decodeMarked(bytes: Uint8Array): DecodedText | null {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return { text: decodeUtf32(bytes, true), encoding: 'utf-32le' }
  if (startsWith(bytes, 0, 0, 0xfe, 0xff)) return { text: decodeUtf32(bytes, false), encoding: 'utf-32be' }
  if (startsWith(bytes, 0xff, 0xfe)) return decode(bytes, 'utf-16le')
  if (startsWith(bytes, 0xfe, 0xff)) return decode(bytes, 'utf-16be')
  return null
}

const SAMPLE_BYTES = 65_536
/** Digits, blanks and line ends of captions are a third of their characters. */
const MIN_ZERO_SHARE = 0.1

/** Decodes UTF-16 without a mark, in which every second byte of digits and blanks is 0. */
function decodeUnmarkedUtf16(bytes: Uint8Array): DecodedText | null {
  const length = Math.min(bytes.length, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > (length / 2) * MIN_ZERO_SHARE && even * 10 < odd) return decode(bytes, 'utf-16le')
  if (even > (length / 2) * MIN_ZERO_SHARE && odd * 10 < even) return decode(bytes, 'utf-16be')
  return null
}

/** A file that was cut may end within a character, of which up to three bytes are left. */
const MAX_CUT_BYTES = 3

/** Whether a byte of UTF-8 is the first of several. */
const beginsCharacter = (byte: number): boolean => byte >= 0xc2 && byte <= 0xf4

function decodeUtf8(bytes: Uint8Array): DecodedText | null {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let cut = 0; cut <= Math.min(MAX_CUT_BYTES, bytes.length); cut++) {
    if (cut > 0 && !beginsCharacter(bytes[bytes.length - cut] ?? 0)) continue
    try {
      return { text: decoder.decode(bytes.subarray(0, bytes.length - cut)), encoding: 'utf-8' }
    } catch {
      // Not UTF-8, or cut earlier.
    }
  }
  return null
}

/** Characters of several bytes in UTF-8 are hardly ever found in other encodings. */
const UTF8_CHARACTER = /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}/g
const BEYOND_ASCII = /[\x80-\xFF]/g
const IS_BEYOND_ASCII = /[\x80-\xFF]/

/** Returns the bytes of the lines that are not ASCII, from which an encoding is recognized. */
function sampleOf(bytes: Uint8Array): { sample: Buffer; latin: string } {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const lines: string[] = []
  let length = 0
  for (const line of latin.split(/[\r\n]/)) {
    if (!IS_BEYOND_ASCII.test(line)) continue
    lines.push(line)
    length += line.length
    if (length > SAMPLE_BYTES) break
  }
  return { sample: Buffer.from(lines.join('\n').slice(0, SAMPLE_BYTES), 'latin1'), latin }
}

const DECLARED = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w-]{1,40})["']/

function tryDecode(bytes: Uint8Array, encoding: string): DecodedText | null {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding: encoding.toLowerCase() }
  } catch {
    return null
  }
}

/** Windows-1250 has letters where ISO 8859-2 has controls, which no text contains. */
const toDecoderName = (name: string, latin: string): string => {
  if (name === 'ISO-8859-2' && /[\x80-\x9F]/.test(latin)) return 'windows-1250'
  return name === 'ISO-8859-1' ? 'windows-1252' : name
}

function decodeGuessed(bytes: Uint8Array): DecodedText {
  const { sample, latin } = sampleOf(bytes)
  const utf8 = sample.toString('latin1').match(UTF8_CHARACTER)?.join('').length ?? 0
  const others = sample.toString('latin1').match(BEYOND_ASCII)?.length ?? 0
  const isDamagedUtf8 = utf8 > others / 2
  const [, declared] = DECLARED.exec(latin.slice(0, 300)) ?? []
  const names = [...(declared ? [declared] : []), ...analyse(sample).map(({ name }) => toDecoderName(name, latin))]
  for (const name of isDamagedUtf8 ? [] : names) {
    const decoded = tryDecode(bytes, name)
    // Controls beyond ASCII mean that the guess is wrong.
    if (decoded && !/[\x80-\x84\x86-\x9F]/.test(decoded.text.slice(0, SAMPLE_BYTES))) return decoded
  }
  refuseBinary(latin)
  throw new UnreadableCaptionsError(
    'encoding',
    'The encoding of the captions was not recognized. Send them as UTF-8.',
    lineAt(latin, Math.max(0, latin.search(BEYOND_ASCII))),
  )
}

/**
 * Decodes the bytes of a text file in UTF-8, UTF-16, UTF-32 or a common 8-bit encoding. Throws `UnreadableCaptionsError` if the
 * encoding is not recognized, or if the file is none of text.
 */
export function decodeBytes(bytes: Uint8Array): DecodedText {
  refuseBinaryBytes(bytes)
  return decodeMarked(bytes) ?? decodeUnmarkedUtf16(bytes) ?? decodeUtf8(bytes) ?? decodeGuessed(bytes)
}
