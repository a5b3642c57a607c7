import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_DIR } from './env.ts'

const KEY_BYTES = 32
const FILE = 'webhook-secret.key'

/** Creates a key for `WEBHOOK_SECRET_KEY`. */
export const newSecretKey = (): string => randomBytes(KEY_BYTES).toString('base64')

/** Returns the key stored in the directory, or null if there is none. */
export async function readSecretKey(directory = DATA_DIR): Promise<string | null> {
  try {
    return (await readFile(join(directory, FILE), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Returns the key stored in the directory, creating it if there is none. Only the owner can read the file. */
export async function keepSecretKey(directory = DATA_DIR): Promise<string> {
  const stored = await readSecretKey(directory)
  if (stored !== null) return stored
  await mkdir(directory, { recursive: true })
  const unfinished = join(directory, `${FILE}.${randomUUID()}`)
  await writeFile(unfinished, `${newSecretKey()}\n`, { mode: 0o600, flush: true })
  try {
    // A link appears with its content, and fails if another process has created the file meanwhile.
    await link(unfinished, join(directory, FILE)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { force: true })
  }
  return (await readSecretKey(directory)) ?? ''
}
