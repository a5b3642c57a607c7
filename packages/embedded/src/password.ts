import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { isErrno } from './errno.ts'

/** Returns the password in the file, or undefined if there is no such file. */
export async function readPassword(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Writes a new password to the file: 192 random bits, in characters that need no escaping in a URL. */
export async function createPassword(file: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const unfinished = `${file}.new`
  await writeFile(unfinished, `${password}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, file)
  return password
}
