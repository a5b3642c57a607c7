import type { FindQuoted } from '@subtext/evidence'

const QUOTATION =
  /“([^“”]+)”|„([^„“”]+)[“”]|«\s?([^«»]+?)\s?»|「([^「」]+)」|『([^『』]+)』|"([^"]+)"|[‘‚]((?:[^‘’‚]|(?<=\p{L})’(?=\p{L}))+)[’‘](?!\p{L})|‹\s?([^‹›]+?)\s?›|(?<![\p{L}\p{N}])'((?:[^']|(?<=\p{L})'(?=\p{L}))+)'(?![\p{L}\p{N}])/gu
/** Shorter ones are terms and titles, which the other checks judge. */
const MIN_WORDS = 3
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u
const MIN_UNSPACED = 6

const isQuotation = (text: string): boolean =>
  UNSPACED.test(text) ? text.length >= MIN_UNSPACED : text.trim().split(/\s+/).length >= MIN_WORDS

/**
 * Returns the text without the marks of quotations that the lines do not contain word for word: what a speaker did not say so is
 * a paraphrase.
 */
export const unquoteUnsaid = (text: string, segmentIds: readonly number[], findQuoted: FindQuoted): string =>
  text.replace(QUOTATION, (whole, ...groups: (string | undefined)[]) => {
    const quoted = groups.find((group) => group !== undefined) ?? ''
    const isSaid = () => segmentIds.some((id) => findQuoted(id, quoted).length > 0)
    return !isQuotation(quoted) || isSaid() ? whole : quoted
  })
