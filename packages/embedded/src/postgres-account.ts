import { lstat } from 'node:fs/promises'
import { completePostgres, findInstalledPostgres, publishPostgres } from './postgres-binaries.ts'

/** How a program of Postgres must be run by the account that we have. */
export interface PostgresRun {
  /** Absolute path of a program, such as `initdb`. */
  program(name: string): string
  /** Undefined: as the caller. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  /** The name under which a program sees the directory it is started in. */
  seenFromInside(directory: string): string
}

/** The account without rights that Linux systems agree on ("nobody"). */
const NOBODY = 65_534

/**
 * Postgres refuses to run as root, and the account it runs as instead cannot enter root's directories. On Linux no
 * copy of the data is needed for that: whatever the rights of the directories above, a process enters the one it was
 * started in by way of /proc/self/cwd (proc_pid_cwd(5)).
 */
export async function preparePostgresRun(clusterDir: string, onProgress: (text: string) => void): Promise<PostgresRun> {
  const installed = findInstalledPostgres()
  completePostgres(installed)
  if (process.getuid?.() !== 0) {
    return { program: (name) => `${installed}/bin/${name}`, seenFromInside: (directory) => directory }
  }
  if (process.platform !== 'linux') {
    throw new Error('The embedded Postgres cannot be started by root here: use another account, or set DATABASE_URL.')
  }
  const published = await publishPostgres(installed, onProgress)
  return {
    program: (name) => `${published}/bin/${name}`,
    account: (await ownerOf(clusterDir)) ?? { uid: NOBODY, gid: NOBODY },
    seenFromInside: () => '/proc/self/cwd',
  }
}

/** Postgres runs as the owner of its data only, who may be an ordinary user that started it before root did. */
async function ownerOf(directory: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await lstat(directory)
    return uid === 0 ? undefined : { uid, gid }
  } catch {
    return undefined
  }
}
