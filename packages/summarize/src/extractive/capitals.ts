import type { Block } from './blocks.ts'

/** How words are spelled within sentences, by their lower case: only those that begin with a capital letter. */
export type Capitals = ReadonlyMap<string, string>

/** A word behind another one, so that no sentence begins with it. */
const INNER_WORD = /(?<=[\p{Ll}\p{N}],? )\p{L}[\p{L}\p{M}\p{N}]*/gu
/** Initials such as `i.e` are no words. */
const WORD = /(?<![\p{L}\p{M}\p{N}'’])\p{Ll}[\p{L}\p{M}\p{N}]*(?![\p{L}\p{M}\p{N}]|\.\p{L})/gu
/** English writes the first person with a capital letter, which not all automatic captions do. */
const FIRST_PERSON = new Map([['i', 'I']])
/** Of the spellings of a name, this share has a capital letter. */
const MIN_SHARE = 0.6

/** Finds the names of a transcript: words that it mostly writes with a capital letter where no sentence begins. */
export function findCapitals(blocks: readonly Block[], tag: string): Capitals {
  const counts = new Map<string, { total: number; capital: number; spelling: string }>()
  for (const { text } of blocks) {
    for (const [word] of text.matchAll(INNER_WORD)) {
      const key = word.toLowerCase()
      const count = counts.get(key) ?? { total: 0, capital: 0, spelling: word }
      count.total++
      if (/^\p{Lu}/u.test(word)) {
        count.capital++
        count.spelling = word
      }
      counts.set(key, count)
    }
  }
  const capitals = new Map<string, string>(tag === 'en' ? FIRST_PERSON : [])
  for (const [key, { total, capital, spelling }] of counts)
    if (capital >= total * MIN_SHARE) capitals.set(key, spelling)
  return capitals
}

/** Writes the names of a sentence with capital letters where the speaker's captions left them out. */
export const capitalizeNames = (text: string, capitals: Capitals): string =>
  capitals.size === 0 ? text : text.replace(WORD, (word) => capitals.get(word) ?? word)
