/** So many words in a row are no coincidence. */
const SHINGLE_WORDS = 6

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function* shinglesOf(text: string, length: number): Generator<string> {
  const words = wordsOf(text)
  for (let at = 0; at + length <= words.length; at++) yield words.slice(at, at + length).join(' ')
}

/**
 * Tells whether a text repeats some words in a row of what only we have said to the model, whatever stands between the
 * words. `secrets`: those texts.
 */
export function createLeakGuard(secrets: string[], length = SHINGLE_WORDS): (text: string) => boolean {
  const ours = new Set(secrets.flatMap((text) => [...shinglesOf(text, length)]))
  return (text) => {
    for (const shingle of shinglesOf(text, length)) if (ours.has(shingle)) return true
    return false
  }
}
