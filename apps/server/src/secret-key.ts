import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DATA_DIR } from './env.ts'

const KEY_BYTES = 32
const FILE = 'webhook-secret.key'

/** A key for `WEBHOOK_SECRET_KEY`. */
export const newSecretKey = (): string => randomBytes(KEY_BYTES).toString('base64')

/** The key kept in the directory; null when there is none. */
export async function readSecretKey(directory = DATA_DIR): Promise<string | null> {
  try {
    return (await readFile(join(directory, FILE), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The key kept in the directory, made when there is none. The file is the owner's alone. */
export async function keepSecretKey(directory = DATA_DIR): Promise<string> {
  const kept = await readSecretKey(directory)
  if (kept !== null) return kept
  await mkdir(directory, { recursive: true })
  const unfinished = join(directory, `${FILE}.${randomUUID()}`)
  await writeFile(unfinished, `${newSecretKey()}\n`, { mode: 0o600, flush: true })
  try {
    // A link appears with its content, and leaves alone what another process has made meanwhile.
    await link(unfinished, join(directory, FILE)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { force: true })
  }
  return (await readSecretKey(directory)) ?? ''
}
