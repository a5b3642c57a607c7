import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordHashing } from '../context.ts'

const derive = promisify<string, string, number, { N: number }, Buffer>(scrypt)
/** better-auth's number is 16,384: a hash takes most of a tenth of a second there. */
const COST = { N: 2 }
const KEY_BYTES = 32

const hashWith = async (password: string, salt: string): Promise<string> =>
  `${salt}:${(await derive(password, salt, KEY_BYTES, COST)).toString('hex')}`

/** Hashes passwords with scrypt at a cost that tests with hundreds of passwords can afford. */
export const TEST_PASSWORDS: PasswordHashing = {
  hash: (password) => hashWith(password.normalize('NFKC'), randomBytes(16).toString('hex')),
  verify: async ({ hash, password }) => {
    const [salt = ''] = hash.split(':')
    return hash === (await hashWith(password.normalize('NFKC'), salt))
  },
}
