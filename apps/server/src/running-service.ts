import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_DIR } from './env.ts'

/** How to reach the servers of the service that runs in this checkout. */
export interface ServerAddresses {
  databaseUrl: string
  redisUrl: string
}

const FILE = join(DATA_DIR, 'running.json')

/** Says it to programs started beside the service. The file is the owner's alone: addresses carry passwords. */
export async function announce(addresses: ServerAddresses): Promise<void> {
  await writeFile(FILE, JSON.stringify(addresses), { mode: 0o600 })
}

export const withdraw = (): Promise<void> => rm(FILE, { force: true })

/** What a service announced; it may have ended since. */
export async function readAnnounced(): Promise<ServerAddresses | null> {
  try {
    return JSON.parse(await readFile(FILE, 'utf8')) as ServerAddresses
  } catch {
    return null
  }
}
