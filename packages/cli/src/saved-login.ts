import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Login {
  apiKey: string
  baseUrl?: string
}

/** Reads what `subtext login` has saved. Returns an empty object if there is nothing. */
export async function readLogin(file: string): Promise<Partial<Login>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Login>
  } catch {
    return {}
  }
}

/** Saves the login so that only its owner can read it, even if the file was there before. */
export async function saveLogin(file: string, login: Login): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
}
