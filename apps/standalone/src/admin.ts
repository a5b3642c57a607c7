import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { nameCommand } from '@subtext/runtime'
import { runAdminProgram } from './admin-program.ts'
import { readSettings } from './env.ts'

/** Asks on standard error: standard output is for what the command prints. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

const settings = readSettings()
const { code, out, err } = await runAdminProgram(process.argv.slice(2), {
  commandName: nameCommand(process.argv[1] ?? '', 'admin', settings.npm_lifecycle_event),
  settings,
  readInput: () => text(process.stdin),
  onWait: (line) => void process.stderr.write(`${line}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
})
process.stdout.write(out)
process.stderr.write(err)
process.exit(code)
