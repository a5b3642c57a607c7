import { decodeHTML } from 'entities'
import { cleanLine } from '../cleaning/foreign-text.ts'
import { refuseTooMany } from './raw-cue.ts'

/** What one person says in a cue. */
export interface Voice {
  speaker?: string | undefined
  /** The lines without tags, entities and invisible characters. */
  lines: string[]
}

const VOICE = /<v(?:\.[^\s<>]{0,80})?[ \t]+([^<>]{1,200})>/g
/** Times within a cue, positions of SubRip, and styles of MicroDVD, which some SubRip files have. */
const MARKS = /<\d{1,6}:\d\d(?::\d\d)?[.,]\d{1,3}>|\{\\[^{}]{0,200}\}|\{[YyCcFfSsPp]:[^{}]{0,80}\}/g
const TAG = /<\/?([A-Za-z][\w-]{0,40})(?:[.\s/][^<>]{0,400})?>/g
const KNOWN_TAGS = new Set(
  ['i', 'b', 'u', 's', 'c', 'v', 'font', 'ruby', 'rt', 'rp', 'lang', 'em', 'strong', 'span', 'div', 'p', 'a'].concat(
    'br',
  ),
)

/** Removes the tags of captions. Of other words between angle brackets, such as `List<Item>`, only pairs are tags. */
function stripTags(text: string): string {
  if (!text.includes('<') && !text.includes('{')) return text
  const plain = text.replace(MARKS, '')
  let others: { opened: Set<string>; closed: Set<string> } | null = null
  const isPair = (name: string): boolean => {
    others ??= { opened: namesOf(plain, OPENING), closed: namesOf(plain, CLOSING) }
    return others.opened.has(name) && others.closed.has(name)
  }
  return plain.replace(TAG, (tag, name: string) => {
    const lower = name.toLowerCase()
    if (lower === 'br') return '\n'
    return KNOWN_TAGS.has(lower) || isPair(lower) ? '' : tag
  })
}

const OPENING = /<([A-Za-z][\w-]{0,40})/g
const CLOSING = /<\/([A-Za-z][\w-]{0,40})/g
const namesOf = (text: string, pattern: RegExp): Set<string> =>
  new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name.toLowerCase()))

const DAMAGE = /\p{Surrogate}|\uFFFD/gu

/** Printable ASCII without anything that tags, entities and styles consist of. Most lines are nothing else. */
const PLAIN = /^[ -%'-;=?-z|}~]*$/

/** Returns a line as it is shown. What is damaged beyond repair is left out. */
const toPlainLine = (line: string): string => {
  if (PLAIN.test(line)) return (line.includes('  ') ? line.replace(/ {2,}/g, ' ') : line).trim()
  const decoded = line.includes('&') ? decodeHTML(line) : line
  return cleanLine(decoded.replace(DAMAGE, ''))
}

const MAX_NAME_LENGTH = 200

/** Returns a name as a file has it, without what cannot be shown. Undefined if nothing is left. */
export const toPlainName = (name: string): string | undefined =>
  cleanLine(name.replace(DAMAGE, ''), MAX_NAME_LENGTH) || undefined

export function toPlainLines(text: string): string[] {
  const lines: string[] = []
  for (const line of stripTags(text).split('\n')) {
    const plain = toPlainLine(line)
    if (plain !== '') lines.push(plain)
  }
  return lines
}

/** Yields what stands behind each mark of a voice, and before the first one. */
function* listMarked(text: string): Generator<{ name: string; text: string }> {
  let name: string | undefined
  let from = 0
  for (const mark of text.matchAll(VOICE)) {
    if (name !== undefined) {
      yield { name, text: text.slice(from, mark.index) }
      from = mark.index
    }
    name = mark[1] ?? ''
  }
  if (name !== undefined) yield { name, text: text.slice(from) }
}

/**
 * Splits a cue at the voices that WebVTT marks. Words outside them belong to the voice beside them: in real files they are
 * dashes and punctuation.
 */
export function splitVoices(text: string): Voice[] {
  const voices: Voice[] = []
  for (const marked of text.includes('<v') ? listMarked(text) : []) {
    const speaker = toPlainLine(marked.name)
    const lines = toPlainLines(marked.text)
    const last = voices.at(-1)
    if (last && last.speaker === speaker) for (const line of lines) last.lines.push(line)
    else if (speaker !== '') refuseTooMany(voices.push({ speaker, lines }))
  }
  return voices.length > 0 ? voices : [{ lines: toPlainLines(text) }]
}
