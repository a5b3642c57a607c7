import { lstat } from 'node:fs/promises'
import { completePostgres, findInstalledPostgres, publishPostgres } from './postgres-binaries.ts'

/** How the current account must run the Postgres programs. */
export interface PostgresRun {
  /** Returns the absolute path of a program such as `initdb`. */
  program(name: string): string
  /** The account to run as; undefined means the caller's. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  /** Returns the name by which a program reaches the directory it is started in. */
  seenFromInside(directory: string): string
}

/** The unprivileged account that Linux systems agree on ("nobody"). */
const NOBODY = 65_534

/**
 * Prepares to run Postgres, which refuses to run as root. The account that root uses instead cannot enter root's
 * directories, but on Linux the data need not be copied: a process can enter the directory it was started in through
 * /proc/self/cwd, whatever the permissions of the directories above it (proc_pid_cwd(5)).
 */
export async function preparePostgresRun(clusterDir: string, onProgress: (text: string) => void): Promise<PostgresRun> {
  const installed = findInstalledPostgres()
  completePostgres(installed)
  if (process.getuid?.() !== 0) {
    return { program: (name) => `${installed}/bin/${name}`, seenFromInside: (directory) => directory }
  }
  if (process.platform !== 'linux') {
    throw new Error(
      'The embedded Postgres cannot be started by root on this platform. Use another account, or set DATABASE_URL.',
    )
  }
  const published = await publishPostgres(installed, onProgress)
  return {
    program: (name) => `${published}/bin/${name}`,
    account: (await ownerOf(clusterDir)) ?? { uid: NOBODY, gid: NOBODY },
    seenFromInside: () => '/proc/self/cwd',
  }
}

/** Postgres runs only as the owner of its data, which may be a user who started it before root did. */
async function ownerOf(directory: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await lstat(directory)
    return uid === 0 ? undefined : { uid, gid }
  } catch {
    return undefined
  }
}
