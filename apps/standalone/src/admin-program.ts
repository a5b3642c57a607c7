import { hostname, userInfo } from 'node:os'
import { OriginEnv } from '@subtext/api/env'
import { ServiceError } from '@subtext/contracts'
import { createSecretBox, type SecretBox } from '@subtext/core/webhooks'
import { migrate } from '@subtext/db'
import { openPrismaDb } from '@subtext/db/prisma'
import { EnvError, keyRing, publicBaseUrlOf } from '@subtext/runtime'
import { RefusedError } from './admin-context.ts'
import { explainDataError } from './data-errors.ts'
import { DATA_DIR, type Settings } from './env.ts'
import { MissingServersError } from './kept-servers.ts'
import { withDatabase } from './locate-database.ts'
import { InvalidCommandError, parseCommand } from './parse-admin-command.ts'
import { UnreachableServersError } from './reachable-servers.ts'
import { keepSecretKey, readSecretKey } from './secret-key.ts'

interface Surroundings {
  /** How the program was called, for its help. */
  commandName?: string
  settings: Settings
  /** Reads standard input to its end. */
  readInput: () => Promise<string>
  /** Reports at once what the program waits for. */
  onWait?: (text: string) => void
  /** Asks the person at the terminal. Undefined if there is none. */
  ask?: (question: string) => Promise<string>
}

/** What the program prints and its exit code. */
interface Outcome {
  code: 0 | 1 | 2
  out: string
  err: string
}

/** Carries out a command line of `npm run admin`. Throws nothing: errors are in the outcome. */
export async function runAdminProgram(args: string[], surroundings: Surroundings): Promise<Outcome> {
  const warnings: string[] = []
  try {
    const out = await answer(args, surroundings, (text) => void warnings.push(`${text}\n`))
    return { code: 0, out: `${out}\n`, err: warnings.join('') }
  } catch (error) {
    const { message, code } = explain(error)
    return { code, out: '', err: `${message}\n` }
  }
}

async function answer(
  args: string[],
  { commandName, settings, readInput, onWait, ask }: Surroundings,
  warn: (text: string) => void,
): Promise<string> {
  const parsed = parseCommand(args, commandName)
  if ('help' in parsed) return parsed.help
  const { command, yes } = parsed
  if (command === 'check-model') {
    // The other commands start faster without the summarizer.
    const { checkModel } = await import('./check-model.ts')
    return checkModel(settings)
  }
  const confirm = createConfirmation(yes, ask)
  return withDatabase(settings, confirm, async ({ url, place, origin }) => {
    await migrate(url, { onWait })
    const db = openPrismaDb({ url, maxConnections: 1 })
    try {
      const out = await command({
        db,
        clock: () => new Date(),
        log: { info: () => {}, warn, error: warn },
        by: { command: describeUser() },
        confirm,
        openSecretBox: () => openSecretBox(settings),
        readInput,
        warn,
        readOrigin: () => selectOrigin(settings, origin),
      })
      if (!command.isReadOnly) warn(`Written to ${place}.`)
      return out
    } finally {
      await db.close()
    }
  })
}

/** Returns the user and the machine, as they are recorded with what the command does. */
function describeUser(): string {
  try {
    return `${userInfo().username} on ${hostname()}`
  } catch {
    // A user without a name, as in many containers.
    return `user ${process.getuid?.() ?? 'unknown'} on ${hostname()}`
  }
}

/** Creates the function that asks before something that may be a mistake. It throws `RefusedError` unless the answer is yes. */
const createConfirmation =
  (yes: boolean, ask: Surroundings['ask']) =>
  async (what: string): Promise<void> => {
    if (yes) return
    if (!ask) throw new RefusedError(`${what}\nTo go on nevertheless, add --yes.`)
    const answer = await ask(`${what}\nGo on? [y/N] `)
    if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new RefusedError('Nothing was done.')
  }

/** Returns the public origin of the service: `PUBLIC_BASE_URL`, otherwise that of the service that is running. */
const selectOrigin = (settings: Settings, running?: string): string =>
  (!settings.PUBLIC_BASE_URL && running) || publicBaseUrlOf(OriginEnv.parse(settings))

/** Opens the secret box with the key that the apps of the service use. */
async function openSecretBox({ DATABASE_URL, WEBHOOK_SECRET_KEY }: Settings): Promise<SecretBox> {
  // With DATABASE_URL the service may run elsewhere: it would not know a key created here.
  const key = WEBHOOK_SECRET_KEY ?? (DATABASE_URL ? await readSecretKey() : await keepSecretKey())
  if (key === null) throw new RefusedError('WEBHOOK_SECRET_KEY is not set. Set it to the key that the service uses.')
  const keys = keyRing.safeParse(key)
  if (!keys.success) throw new RefusedError(`WEBHOOK_SECRET_KEY: ${keys.error.issues[0]?.message}`)
  return createSecretBox(keys.data)
}

/** Returns the message for an error, and the exit code: 2 if the command line is invalid, otherwise 1. */
function explain(error: unknown): { message: string; code: 1 | 2 } {
  if (error instanceof InvalidCommandError) return { message: error.message, code: 2 }
  if (
    [RefusedError, ServiceError, MissingServersError, UnreachableServersError, EnvError].some(
      (type) => error instanceof type,
    )
  ) {
    return { message: (error as Error).message, code: 1 }
  }
  return { message: explainDataError(error, DATA_DIR) ?? (error as Error).stack ?? String(error), code: 1 }
}
