import { cleanLine } from '@subtext/captions'

const MARKDOWN_LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g
// Browsers mend slashes that are missing, single or turned around. A name of a host with a path is one, too, whereas
// `example.com` and `Node.js` are words of a sentence. Every part is bounded so that a long run of letters costs no more
// than its length; ASCII only, since scripts without spaces would lose the rest of their sentence.
const ADDRESS_START = [
  String.raw`[a-z][a-z0-9+.-]{0,30}:\/\/`,
  String.raw`(?<![a-z0-9])(?:(?:https?|ftps?|wss?):[\\/]{0,9}|file:[\\/]{1,9})(?=\w)`,
  String.raw`(?<![a-z0-9])www\.(?=\S)`,
  String.raw`(?<![\w\\/])[\\/]{2,9}(?=[\w-]{1,63}\.[a-z0-9])`,
  String.raw`(?<![\w.-])(?:[\w-]{1,63}\.){1,8}(?!(?:jsx?|tsx?|json|txt|css|html?)[/?#])[a-z][a-z0-9-]{1,23}(?::\d{1,5})?[/?#](?=\w)`,
].join('|')
const ADDRESS = new RegExp(String.raw`(?:${ADDRESS_START})[\w\-.~:/\\?#@!$&*+,;=%]*`, 'gi')
const SCRIPT_ADDRESS = /\b(?:javascript|vbscript|data|mailto):(?=[\w/(+%])[!-~]*/gi
/** Where an address stood. */
const LEFT_OUT = '…'

function replaceUntilStable(text: string, replace: (text: string) => string): string {
  // Each round takes one level of nesting away; whatever is left after these is broken up below.
  for (let round = 0; round < 5; round++) {
    const replaced = replace(text)
    if (replaced === text) return text
    text = replaced
  }
  return text
}

const END_OF_SENTENCE = /[.,;:!?]+$/

/** Without the punctuation that follows it. */
const dropAddress = (address: string): string => LEFT_OUT + (END_OF_SENTENCE.exec(address)?.[0] ?? '')

const dropLinks = (text: string): string =>
  text.replace(MARKDOWN_LINK, '$1').replace(ADDRESS, dropAddress).replace(SCRIPT_ADDRESS, dropAddress)

/**
 * One line without HTML, links, images or addresses: tags get angle quotes in place of their brackets, links keep their
 * words. Other Markdown characters are left to whoever lays the text out.
 */
export const buildPlainText = (text: string): string =>
  replaceUntilStable(cleanLine(text), dropLinks)
    .replace(/:\/\//g, ': //')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/<(?=[a-z/!?])/gi, '‹')
    .replace(/(‹[^‹›<>]*)>/g, '$1›')
    .trim()
