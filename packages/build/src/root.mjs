import { resolve } from 'node:path'

/** The top folder of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../..')

/** Prints a line of progress. Standard output belongs to the program that is run. */
export const print = (text) => void process.stderr.write(`${text}\n`)
