/** Repeating this many words in a row is not a coincidence. */
const SHINGLE_WORDS = 6

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function* shinglesOf(text: string, length: number): Generator<string> {
  const words = splitWords(text)
  for (let start = 0; start + length <= words.length; start++) yield words.slice(start, start + length).join(' ')
}

/**
 * Returns a function that tells whether a text repeats `length` words in a row of the `secrets`, the texts that only we send
 * to the model. Punctuation between the words makes no difference.
 */
export function createLeakGuard(secrets: string[], length = SHINGLE_WORDS): (text: string) => boolean {
  const known = new Set(secrets.flatMap((text) => [...shinglesOf(text, length)]))
  return (text) => {
    for (const shingle of shinglesOf(text, length)) if (known.has(shingle)) return true
    return false
  }
}
