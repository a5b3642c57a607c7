const SHINGLE_WORDS = 6

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function* shinglesOf(text: string): Generator<string> {
  const words = wordsOf(text)
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at++) yield words.slice(at, at + SHINGLE_WORDS).join(' ')
}

/**
 * Tells whether a text repeats six words in a row of what only we have said to the model, whatever stands between the
 * words. `secrets`: those texts.
 */
export function createLeakGuard(secrets: string[]): (text: string) => boolean {
  const ours = new Set(secrets.flatMap((text) => [...shinglesOf(text)]))
  return (text) => {
    for (const shingle of shinglesOf(text)) if (ours.has(shingle)) return true
    return false
  }
}
