import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_DIR } from './env.ts'

/** Addresses of the service that is running in this checkout, and of its servers. */
export interface ServiceAddresses {
  /** The public origin of the API and the dashboard. */
  origin: string
  databaseUrl: string
  redisUrl: string
}

const FILE = join(DATA_DIR, 'running.json')

/** Publishes the addresses for commands such as `admin`. Only the owner can read the file: it holds passwords. */
export async function publishAddresses(addresses: ServiceAddresses): Promise<void> {
  await writeFile(FILE, JSON.stringify(addresses), { mode: 0o600 })
}

export const withdrawAddresses = (): Promise<void> => rm(FILE, { force: true })

/** Returns the addresses that a service has published. The service may have ended without removing them. */
export async function readAddresses(): Promise<ServiceAddresses | null> {
  try {
    return JSON.parse(await readFile(FILE, 'utf8')) as ServiceAddresses
  } catch {
    return null
  }
}
