import { cleanLine } from '../../foreign-text.ts'

const MARKDOWN_LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g
// The scheme is bounded so that a long run of letters costs no more than its length; ASCII only, since scripts
// without spaces would lose the rest of their sentence.
const ADDRESS = /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|\bwww\.(?=\S))[\w\-.~:/?#@!$&*+,;=%]*/gi
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
