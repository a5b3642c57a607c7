/** A word of a text, as it is compared: in lower case and without the marks around it. */
export interface Word {
  text: string
  /** Offset in the text at which it begins. */
  from: number
  /** Offset behind it, including the marks that follow. */
  to: number
}

const MARKS = /^[^\p{L}\p{N}$]+|[^\p{L}\p{M}\p{N}%]+$/gu

/** Lists the words of `text` between two offsets. */
export function listWords(text: string, from: number, to: number): Word[] {
  const words: Word[] = []
  for (const match of text.slice(from, to).matchAll(/\S+/g)) {
    const [written] = match
    const bare = written.toLowerCase().replace(MARKS, '')
    const last = words.at(-1)
    const end = from + match.index + written.length
    if (bare !== '') words.push({ text: bare, from: from + match.index, to: end })
    else if (last) last.to = end
  }
  return words
}
