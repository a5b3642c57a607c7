import type { Readable, Writable } from 'node:stream'
import { createProxiedFetch } from '@subtext/runtime/proxied-fetch'
import { Subtext, SubtextError } from '@subtext/sdk'
import { readEnvironment } from './env.ts'
import { UsageError } from './exit-codes.ts'
import { renderMarkdown } from './render-markdown.ts'
import { isSameService, readLogin } from './saved-login.ts'
import { writeText } from './terminal-text.ts'

export interface Terminal {
  stdin: Readable & { isTTY?: boolean }
  /** Receives results and nothing else. */
  stdout: Writable & { isTTY?: boolean; columns?: number }
  /** Receives progress and errors. */
  stderr: Writable & { isTTY?: boolean }
}

/** The dependencies of commands. */
export interface CommandContext {
  terminal: Terminal
  environment: ReturnType<typeof readEnvironment>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Does what Ctrl-C does. Needed because a prompt receives the key itself. */
  interrupt(): void
  /** Writes a Markdown document to standard output: laid out on a terminal or if colors are forced, and otherwise as it is. */
  printMarkdown(markdown: string): void
  /** Writes a line to standard output. */
  print(line: string): void
  /** Writes a line to standard error. */
  note(line: string): void
  /** @throws UsageError if there is no API key. */
  connect(): Promise<Subtext>
}

const DEFAULT_COLUMNS = 80

export function createContext(
  terminal: Terminal,
  interrupt = new AbortController(),
  environment = readEnvironment(),
): CommandContext {
  return {
    terminal,
    environment,
    signal: interrupt.signal,
    interrupt: () => interrupt.abort(),
    printMarkdown(markdown) {
      const { stdout } = terminal
      const { hasColor = stdout.isTTY ?? false } = environment
      if (!stdout.isTTY && !hasColor) stdout.write(markdown)
      // A terminal that does not know its size has 0 columns.
      else stdout.write(renderMarkdown(markdown, { columns: stdout.columns || DEFAULT_COLUMNS, hasColor }))
    },
    print: (line) => writeText(terminal.stdout, `${line}\n`),
    note: (line) => writeText(terminal.stderr, `${line}\n`),
    async connect() {
      const saved = await readLogin(environment.configFile)
      const { baseUrl = saved.baseUrl } = environment
      // Otherwise any project that sets SUBTEXT_API_BASE would be sent the key.
      if (!environment.apiKey && saved.apiKey && baseUrl && !isSameService(saved.baseUrl, baseUrl)) {
        throw new UsageError(
          `The saved key belongs to a service other than ${baseUrl}. Set SUBTEXT_API_KEY too, or run \`subtext login\`.`,
        )
      }
      const apiKey = environment.apiKey ?? saved.apiKey
      if (!apiKey) throw new UsageError('No API key: run `subtext login` or set SUBTEXT_API_KEY.')
      try {
        return new Subtext({ apiKey, baseUrl, fetch: createProxiedFetch(environment.proxies ?? {}) })
      } catch (error) {
        if (!(error instanceof SubtextError) || error.code !== 'UNAUTHORIZED') throw error
        throw new UsageError(
          'The API key contains characters that no key has: run `subtext login` or check SUBTEXT_API_KEY.',
        )
      }
    },
  }
}
