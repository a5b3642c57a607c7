/** A word of a text, as it is compared: in lower case and without the marks around it. */
export interface Word {
  text: string
  /** Offset in the text at which it begins. */
  from: number
  /** Offset behind it, including the marks that follow. */
  to: number
}

function trimMarks(word: string): string {
  const characters = [...word]
  const first = characters.findIndex((character) => /[\p{L}\p{N}$]/u.test(character))
  const last = characters.findLastIndex((character) => /[\p{L}\p{M}\p{N}%]/u.test(character))
  return first < 0 ? '' : characters.slice(first, last + 1).join('')
}

/** Lists the words of `text` between two offsets. */
export function listWords(text: string, from: number, to: number): Word[] {
  const words: Word[] = []
  for (const match of text.slice(from, to).matchAll(/\S+/g)) {
    const [written] = match
    const bare = trimMarks(written.toLowerCase())
    const last = words.at(-1)
    const end = from + match.index + written.length
    if (bare !== '') words.push({ text: bare, from: from + match.index, to: end })
    else if (last) last.to = end
  }
  return words
}
