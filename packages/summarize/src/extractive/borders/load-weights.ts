import { existsSync, readFileSync } from 'node:fs'
import { decodeWeights, type Weights } from './weights.ts'

const FOLDER = new URL('./weights/', import.meta.url)
const LANGUAGE = /^[a-z]{2}$/

const loaded = new Map<string, Weights | null>()

/** Returns the weights of a language; null if there are none. They are read when they are first needed, and kept. */
export function loadWeights(language: string): Weights | null {
  const known = loaded.get(language)
  if (known !== undefined) return known
  const file = new URL(`${language}.bin`, FOLDER)
  const weights = LANGUAGE.test(language) && existsSync(file) ? decodeWeights(readFileSync(file)) : null
  loaded.set(language, weights)
  return weights
}
