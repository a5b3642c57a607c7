import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { CommandContext } from './context.ts'

/**
 * Reads a line from the terminal; undefined at the end of the input (Ctrl-D). With `hidden`, it is not shown while it is typed.
 * Ctrl-C interrupts the program.
 */
export async function readLine(
  ctx: CommandContext,
  question: string,
  { hidden = false } = {},
): Promise<string | undefined> {
  const { stdin, stderr } = ctx.terminal
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (hidden) stderr.write(question)
  const prompt = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true })
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      prompt.on('close', () => resolve(undefined))
      prompt.on('SIGINT', () => {
        ctx.interrupt()
        reject(ctx.signal.reason)
      })
      prompt.question(hidden ? '' : question, resolve)
    })
  } finally {
    prompt.close()
    if (hidden) stderr.write('\n')
  }
}
