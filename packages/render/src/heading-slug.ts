import { foldText } from './fold-text.ts'

const LEFT_OUT = /[^\p{L}\p{M}\p{N}\p{Pc} -]/gu

/**
 * Returns a function that gives the anchors of the headings of one Markdown document, in their order. They are those of GitHub,
 * which other viewers have adopted: lower case, without punctuation, hyphens for spaces, and a number after an anchor that
 * already exists.
 */
export function createSlugger(): (heading: string) => string {
  const taken = new Map<string, number>()
  return (heading) => {
    const base = foldText(heading).toLowerCase().replace(LEFT_OUT, '').replaceAll(' ', '-')
    let slug = base
    let count = taken.get(base) ?? 0
    while (taken.has(slug)) slug = `${base}-${++count}`
    taken.set(base, count)
    taken.set(slug, taken.get(slug) ?? 0)
    return slug
  }
}
