import type { Readable, Writable } from 'node:stream'
import { Subtext } from '@subtext/sdk'
import { readEnvironment } from './env.ts'
import { UsageError } from './exit-codes.ts'
import { readLogin } from './saved-login.ts'

export interface Terminal {
  stdin: Readable & { isTTY?: boolean }
  /** Receives results and nothing else. */
  stdout: Writable & { isTTY?: boolean }
  /** Receives progress and errors. */
  stderr: Writable & { isTTY?: boolean }
}

/** What commands work with. */
export interface Context {
  terminal: Terminal
  environment: ReturnType<typeof readEnvironment>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Writes a line to the standard output. */
  print(line: string): void
  /** Writes a line to the standard error. */
  note(line: string): void
  /** @throws UsageError if there is no API key. */
  connect(): Promise<Subtext>
}

export function createContext(terminal: Terminal, signal: AbortSignal, environment = readEnvironment()): Context {
  return {
    terminal,
    environment,
    signal,
    print: (line) => void terminal.stdout.write(`${line}\n`),
    note: (line) => void terminal.stderr.write(`${line}\n`),
    async connect() {
      const saved = await readLogin(environment.configFile)
      const apiKey = environment.apiKey ?? saved.apiKey
      if (!apiKey) throw new UsageError('No API key: run `subtext login` or set SUBTEXT_API_KEY.')
      return new Subtext({ apiKey, baseUrl: environment.baseUrl ?? saved.baseUrl })
    },
  }
}
