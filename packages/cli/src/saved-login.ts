import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, writeWhole } from './files.ts'

/** The default service of a login. */
const LOCAL_SERVICE = 'http://127.0.0.1:3000'

export interface Login {
  apiKey: string
  baseUrl?: string
}

/**
 * Reads what `subtext login` has saved. Returns an empty object if there is nothing, or something else: a key alone, without the
 * URL that does not have the form of one, could be sent to another service.
 */
export async function readLogin(file: string): Promise<Partial<Login>> {
  try {
    const saved: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isLogin(saved) ? saved : {}
  } catch {
    return {}
  }
}

const isLogin = (value: unknown): value is Partial<Login> => {
  if (typeof value !== 'object' || value === null) return false
  const { apiKey, baseUrl } = value as Record<string, unknown>
  return [apiKey, baseUrl].every((field) => field === undefined || typeof field === 'string')
}

/** Saves the login so that only its owner can read it at any time, even if a file with other permissions was there. */
export async function saveLogin(file: string, login: Login): Promise<void> {
  await makeFolder(dirname(file), 0o700)
  await writeWhole(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
}

/** Deletes what `subtext login` has saved. Returns false if there was nothing. */
export async function deleteLogin(file: string): Promise<boolean> {
  try {
    await rm(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Whether a URL of the environment names the service that the saved key is for. */
export function isSameService(saved: string | undefined, url: string): boolean {
  const normalize = (text: string): string =>
    text
      .trim()
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\/api\/v1$/, '')
  return normalize(saved ?? LOCAL_SERVICE) === normalize(url)
}
