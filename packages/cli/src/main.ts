#!/usr/bin/env node
import { createContext } from './context.ts'
import { FAILED, INTERRUPTED } from './exit-codes.ts'
import { run } from './run.ts'

const interrupt = new AbortController()
process.once('SIGINT', () => {
  interrupt.abort()
  // A second Ctrl-C ends the program at once.
  process.once('SIGINT', () => process.exit(INTERRUPTED))
})
// The reader of the output may close it, as `head` does. Later output is discarded.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`Cannot write to standard output: ${error.message}\n`)
  process.exit(FAILED)
})
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(createContext(process, interrupt), process.argv.slice(2))
