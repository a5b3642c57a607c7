import type { Writable } from 'node:stream'
import type { FileContent } from './formats.ts'

/** Control characters that do more than begin a line or a column. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Leaves out control characters that do more than begin a line or a column. */
export const stripControls = (text: string): string => text.replace(CONTROL, '')

/**
 * Writes text. On a terminal, leaves out control sequences, because titles and captions are foreign text. Files and pipes
 * receive every byte.
 */
export function writeText(stream: Writable & { isTTY?: boolean }, content: FileContent): void {
  stream.write(stream.isTTY && typeof content === 'string' ? stripControls(content) : content)
}
