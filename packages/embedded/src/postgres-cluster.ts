import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isErrno } from './errno.ts'
import { createPassword, readPassword } from './password.ts'
import type { PostgresRun } from './postgres-account.ts'
import { UnusableDataError } from './unusable-data-error.ts'

const UNFINISHED_PREFIX = 'unfinished-'
const MAJOR_VERSION = '18'

export const POSTGRES_USER = 'postgres'
/** Fixed, so that neither the PG* variables nor the locale of the caller affect the cluster. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Returns the password of the cluster (the databases of a server), creating the cluster if there is none. It is created
 * under another name and renamed when complete, so an interrupted start never leaves an incomplete one.
 */
export async function ensureCluster(
  directory: string,
  clusterDir: string,
  run: PostgresRun,
  { durable, onProgress }: { durable: boolean; onProgress: (text: string) => void },
): Promise<string> {
  await removeUnfinished(directory)
  const passwordFile = join(directory, 'password')
  const kept = await readPassword(passwordFile)
  if (!existsSync(clusterDir)) {
    onProgress('creating the Postgres database (first start only)')
    const password = kept ?? (await createPassword(passwordFile))
    await createCluster(directory, clusterDir, run, passwordFile, durable)
    return password
  }
  if (kept === undefined) {
    throw new UnusableDataError(`${passwordFile} is missing. Restore it, or remove ${directory} with all its data.`)
  }
  const version = await readVersion(clusterDir)
  if (version !== MAJOR_VERSION) throw new UnusableDataError(explainVersion(directory, version))
  return kept
}

/** Returns the major version of a cluster; undefined if the directory is none. */
async function readVersion(clusterDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return undefined
    throw error
  }
}

const explainVersion = (directory: string, version: string | undefined): string =>
  version === undefined
    ? [
        `${directory} contains no complete PostgreSQL database: its file PG_VERSION is missing.`,
        'Restore the directory from a backup, or move it away to start with an empty database.',
      ].join('\n')
    : [
        `The data in ${directory} was written by PostgreSQL ${version}, and this release has PostgreSQL ${MAJOR_VERSION}. Nothing was changed.`,
        `To keep the data: start the release that wrote it, dump the database with pg_dump, move ${directory} away, start this release, and restore the dump (docs/operating/backup.md).`,
        `Or set DATABASE_URL to a PostgreSQL ${version} server that has the data. To begin without it, move ${directory} away.`,
      ].join('\n')

async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    // An initdb whose parent was killed may still be writing here, so removing is retried.
    if (name.startsWith(UNFINISHED_PREFIX)) await rm(join(directory, name), { recursive: true, maxRetries: 5 })
  }
}

async function createCluster(
  directory: string,
  clusterDir: string,
  run: PostgresRun,
  passwordFile: string,
  durable: boolean,
): Promise<void> {
  const unfinished = await mkdtemp(join(directory, UNFINISHED_PREFIX))
  try {
    const created = join(unfinished, 'cluster')
    const passwordCopy = join(unfinished, 'password')
    await mkdir(created, { mode: 0o700 })
    await copyFile(passwordFile, passwordCopy)
    if (run.account) {
      for (const path of [passwordCopy, created, unfinished]) await chown(path, run.account.uid, run.account.gid)
    }
    const inside = run.seenFromInside(created)
    const args = [
      ...['-D', inside, '-U', POSTGRES_USER, `--pwfile=${inside}/../password`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--no-instructions', ...(durable ? [] : ['--no-sync'])],
    ]
    await promisify(execFile)(run.program('initdb'), args, { cwd: created, env: POSTGRES_ENV, ...run.account })
    await rename(created, clusterDir)
    if (durable) await syncDirectory(directory)
  } finally {
    await rm(unfinished, { recursive: true })
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
