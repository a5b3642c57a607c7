/** Returns the paragraphs of a Markdown document that are prose. */
export function listMarkdownProse(document: string): string[] {
  return document
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/```[\s\S]*?```|~~~[\s\S]*?~~~/g, '\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('\n')
    .filter(
      (line) => !/^\s*(?:#|\||import |export |<\/?[A-Z]|\* License:|\* Text:|\* Illust|\* Trans|\* Lang)/.test(line),
    )
    .map((line) =>
      line
        .replace(/<https?:[^>]*>|https?:\S+/g, '')
        .replace(/<[^>]*>/g, ' ')
        .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
        .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
        .replace(/\{[^}]*\}|\(\([^)]*\)\)/g, '')
        .replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '')
        .replace(/[`*]|(?<!\w)_|_(?!\w)/g, '')
        .replace(/^[\p{Lu}][\p{L} .'()-]{0,40}:\s+/u, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => /[.!?…।؟|]["'”’»)]*$/u.test(line))
}

/** Joins the words that a corpus has split into tokens, and removes its remarks. */
export const joinTokens = (text: string): string =>
  text
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/&quot;|&#34;|"/g, ' ')
    .replace(/&apos;|&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/@@ /g, '')
    .replace(/\b(\w+)_\.?/g, '$1')
    .replace(/\s+([,.?!;:%…])/g, '$1')
    .replace(/\s+('(?:s|t|re|ve|ll|d|m)\b|n't\b)/g, '$1')
    .replace(/(\p{L}['’]) (?=\p{L})/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim()
