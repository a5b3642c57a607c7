import { cleanLine } from '@subtext/captions'

const MARKDOWN_LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g
// Browsers accept missing, single and reversed slashes. A host name with a path is an address, too, whereas `example.com`
// and `Node.js` are words of a sentence. Every part has a maximum length, so that the time for a long run of letters is
// linear. ASCII only, since scripts without spaces would lose the rest of their sentence.
const ADDRESS_START = [
  String.raw`[a-z][a-z0-9+.-]{0,30}:\/\/`,
  String.raw`(?<![a-z0-9])(?:(?:https?|ftps?|wss?):[\\/]{0,9}|file:[\\/]{1,9})(?=\w)`,
  String.raw`(?<![a-z0-9])www\.(?=\S)`,
  String.raw`(?<![\w\\/])[\\/]{2,9}(?=[\w-]{1,63}\.[a-z0-9])`,
  String.raw`(?<![\w.-])(?:[\w-]{1,63}\.){1,8}(?!(?:jsx?|tsx?|json|txt|css|html?)[/?#])[a-z][a-z0-9-]{1,23}(?::\d{1,5})?[/?#](?=\w)`,
].join('|')
const ADDRESS = new RegExp(String.raw`(?:${ADDRESS_START})[\w\-.~:/\\?#@!$&*+,;=%]*`, 'gi')
const SCRIPT_ADDRESS = /\b(?:javascript|vbscript|data|mailto):(?=[\w/(+%])[!-~]*/gi
/** Replaces an address. */
const OMISSION = '…'

function replaceUntilStable(text: string, replace: (text: string) => string): string {
  // Each round removes one level of nesting; what is left after the last one is broken up below.
  for (let round = 0; round < 5; round++) {
    const replaced = replace(text)
    if (replaced === text) return text
    text = replaced
  }
  return text
}

const END_OF_SENTENCE = /(?<![.,;:!?])[.,;:!?]+$/

/** Keeps the punctuation that follows the address. */
const omitAddress = (address: string): string => OMISSION + (END_OF_SENTENCE.exec(address)?.[0] ?? '')

const dropLinks = (text: string): string =>
  text.replace(MARKDOWN_LINK, '$1').replace(ADDRESS, omitAddress).replace(SCRIPT_ADDRESS, omitAddress)

/**
 * Returns the text as one line without HTML, links, images or addresses. Tags get angle quotation marks in place of their
 * brackets, links keep their text. Other Markdown characters are left to the renderers.
 */
export const buildPlainText = (text: string): string =>
  replaceUntilStable(cleanLine(text), dropLinks)
    .replace(/:\/\//g, ': //')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/<(?=[a-z/!?])/gi, '‹')
    .replace(/(‹[^‹›<>]*)>/g, '$1›')
    .trim()
