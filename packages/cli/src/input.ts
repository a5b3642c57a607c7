import { addAbortSignal, PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CommandContext } from './context.ts'

/** Reads standard input to its end. Ctrl-C ends the reading. */
export async function readInput({ terminal, signal }: CommandContext): Promise<string> {
  const input = addAbortSignal(signal, new PassThrough())
  try {
    return await text(terminal.stdin.pipe(input))
  } finally {
    terminal.stdin.unpipe(input)
    terminal.stdin.pause()
  }
}
