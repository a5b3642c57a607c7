/**
 * ROUGE-N and ROUGE-L as F1 over words (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004): the
 * share of n-grams, or of the longest common subsequence, that two texts have in common.
 */
export interface Rouge {
  one: number
  two: number
  longest: number
}

const f1 = (shared: number, left: number, right: number): number => (shared === 0 ? 0 : (2 * shared) / (left + right))

function countGrams(words: string[], length: number): Map<string, number> {
  const grams = new Map<string, number>()
  for (let start = 0; start + length <= words.length; start++) {
    const gram = words.slice(start, start + length).join(' ')
    grams.set(gram, (grams.get(gram) ?? 0) + 1)
  }
  return grams
}

function overlap(left: string[], right: string[], length: number): number {
  const [a, b] = [countGrams(left, length), countGrams(right, length)]
  let shared = 0
  for (const [gram, count] of a) shared += Math.min(count, b.get(gram) ?? 0)
  return f1(shared, Math.max(0, left.length - length + 1), Math.max(0, right.length - length + 1))
}

function longestCommonSubsequence(left: string[], right: string[]): number {
  let row = new Array<number>(right.length + 1).fill(0)
  for (const word of left) {
    const next = [0]
    for (const [column, other] of right.entries()) {
      next.push(word === other ? (row[column] ?? 0) + 1 : Math.max(row[column + 1] ?? 0, next[column] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** `language`: BCP-47; words are separated by its rules. */
export function measureRouge(candidate: string, reference: string, language: string): Rouge {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  const wordsOf = (text: string) =>
    [...segmenter.segment(text.toLowerCase())].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
  const [left, right] = [wordsOf(candidate), wordsOf(reference)]
  return {
    one: overlap(left, right, 1),
    two: overlap(left, right, 2),
    longest: f1(longestCommonSubsequence(left, right), left.length, right.length),
  }
}
