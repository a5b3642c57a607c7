import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createContext } from '../context.ts'
import type { Environment } from '../env.ts'
import type { ExitCode } from '../exit-codes.ts'
import { run } from '../run.ts'

export interface CliResult {
  code: ExitCode
  stdout: string
  stderr: string
}

export interface CliOptions {
  apiKey?: string
  baseUrl?: string
  stdin?: string
  configFile?: string
  /** Whether standard output is a terminal. */
  isTTY?: boolean
  /** Width of the terminal. */
  columns?: number
  /** Whether colors are forced or switched off. */
  hasColor?: boolean
  proxies?: Environment['proxies']
  /** Aborted to interrupt the command. */
  interrupt?: AbortController
}

/** Runs a command line in this process and returns what it wrote. */
export async function runCli(args: string[], options: CliOptions = {}): Promise<CliResult> {
  const {
    apiKey,
    baseUrl,
    stdin = '',
    configFile = '/nonexistent/config.json',
    isTTY = false,
    columns,
    hasColor,
    proxies,
    interrupt,
  } = options
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const environment = { apiKey, baseUrl, configFile, hasColor, proxies }
  const terminal = { stdin: Readable.from([stdin]), stdout: Object.assign(stdout, { isTTY, columns }), stderr }
  const ctx = createContext(terminal, interrupt, environment)
  const code = await run(ctx, args)
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { code, stdout: out, stderr: err }
}

/** Returns a function that creates folders, and registers a hook that removes them. */
export function useFolders(): () => Promise<string> {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'subtext-cli-'))
    folders.push(folder)
    return folder
  }
}
