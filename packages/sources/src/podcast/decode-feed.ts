import { SourceGoneError } from '../listing.ts'

const HEAD_BYTES = 400
const DECLARED = /^\s*<\?xml[^>]{0,300}?encoding\s*=\s*["']([\w.:-]{1,40})["']/

const startsWith = (bytes: Uint8Array, ...mark: number[]): boolean => mark.every((byte, at) => bytes[at] === byte)

/** Returns the encoding that the first bytes say: by a mark, or by the pattern of `<?` in UTF-16. */
function findMark(bytes: Uint8Array): string | null {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8'
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0x3c, 0, 0x3f, 0)) return 'utf-16le'
  return startsWith(bytes, 0xfe, 0xff) || startsWith(bytes, 0, 0x3c, 0, 0x3f) ? 'utf-16be' : null
}

function createDecoder(encoding: string): TextDecoder | null {
  try {
    return new TextDecoder(encoding)
  } catch {
    return null
  }
}

/**
 * Returns the decoder of a feed: by its mark, by what it declares, by what its server says, else UTF-8. Throws `SourceGoneError`
 * for an encoding that does not exist.
 */
export function selectDecoder(bytes: Uint8Array, charset: string | null): TextDecoder {
  const marked = findMark(bytes)
  if (marked) return new TextDecoder(marked)
  const [, declared] = DECLARED.exec(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')) ?? []
  // A document that was read as bytes cannot be in UTF-16, whatever it says.
  const isWide = declared !== undefined && /^utf-?16|^ucs-?2|^iso-10646-ucs-2/i.test(declared)
  const decoder =
    declared !== undefined && !isWide
      ? createDecoder(declared)
      : (createDecoder(charset ?? 'utf-8') ?? new TextDecoder())
  if (!decoder) throw new SourceGoneError('not_a_feed')
  return decoder
}
