import { lineAt } from './lines.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

/** How documents, archives, pictures and recordings begin: some hold few control characters, or look like another encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const BINARY_BEGINNING = /^(?:%PDF-|PK\x03\x04|\x1F\x8B|\x89PNG|ID3[\x02-\x04]|\x1AE\xDF\xA3|\xD0\xCF\x11\xE0)/
const BEGINNING_BYTES = 8

/** Control characters that no text has. One may have got into any file, such as the mark that ends old files. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROL = /[\u0000-\u0006\u000E-\u001A]/g
const BINARY_SAMPLE = 65_536
const MAX_CONTROL_SHARE = 0.01

const notText = (line: number): UnreadableCaptionsError =>
  new UnreadableCaptionsError('unknown_format', 'The captions are not a text file.', line)

/** Refuses a text that is none. Of bytes whose encoding is not known, pass each as a character. */
export function refuseBinary(text: string): void {
  // Captions of WebVTT may contain NUL, which its standard replaces.
  if (text.startsWith('WEBVTT')) return
  const sample = text.slice(0, BINARY_SAMPLE)
  const controls = [...sample.matchAll(CONTROL)]
  if (BINARY_BEGINNING.test(sample)) throw notText(1)
  if (controls.length > sample.length * MAX_CONTROL_SHARE) throw notText(lineAt(text, controls[0]?.index ?? 0))
}

/** Refuses the bytes of a file that says what it is. */
export function refuseBinaryBytes(bytes: Uint8Array): void {
  if (BINARY_BEGINNING.test(Buffer.from(bytes.subarray(0, BEGINNING_BYTES)).toString('latin1'))) throw notText(1)
}
