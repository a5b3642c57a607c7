import { cleanLine } from '../../foreign-text.ts'

const MARKDOWN_LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g
// The scheme is bounded so that a long run of letters costs no more than its length; ASCII only, since scripts
// without spaces would lose the rest of their sentence.
const ADDRESS = /[a-z][a-z0-9+.-]{0,30}:\/\/[\w\-.~:/?#@!$&*+,;=%]*/gi
const BARE_HOST = /\bwww\.(?=\S)/gi

function selectHost(address: string): string {
  const host = URL.canParse(address) ? new URL(address).host : ''
  return host.replace(/^www\./i, '')
}

function replaceUntilStable(text: string, replace: (text: string) => string): string {
  // Each round takes one level of nesting away; whatever is left after these is broken up below.
  for (let round = 0; round < 5; round++) {
    const replaced = replace(text)
    if (replaced === text) return text
    text = replaced
  }
  return text
}

const dropLinks = (text: string): string =>
  text.replace(MARKDOWN_LINK, '$1').replace(ADDRESS, selectHost).replace(BARE_HOST, '')

/**
 * One line without HTML, links or images: tags get angle quotes in place of their brackets, links keep their words,
 * addresses keep their host. Other Markdown characters are left to whoever lays the text out.
 */
export const buildPlainText = (text: string): string =>
  replaceUntilStable(cleanLine(text), dropLinks)
    .replace(/:\/\//g, ': //')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/<(?=[a-z/!?])/gi, '‹')
    .replace(/(‹[^‹›<>]*)>/g, '$1›')
    .trim()
