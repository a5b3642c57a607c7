import { listPayloads } from './obey.ts'
import {
  type JsonSchema,
  listBlocks,
  type MessagesRequest,
  type NumberedLine,
  readBlock,
  selectInstruction,
} from './request.ts'
import { findSchemaInText } from './server-kinds.ts'

/** Number of entries in the lists of an answer, by summary mode and list name. */
const LIST_LENGTHS: Record<string, Record<string, number>> = {
  tldr: { sentences: 2 },
  detailed: { overview: 2, sections: 4, points: 3 },
  study_notes: { overview: 1, concepts: 3, points: 4, entries: 2 },
  timestamped: { moments: 8 },
  key_insights: { points: 3 },
}
const DEFAULT_LIST_LENGTH = 2
const LINES_PER_NOTE = 25
const MAX_NOTES = 60
const MIN_NOTES = 4
const LINES_PER_PASSAGE = 3
const HEADING_WORDS = 5
const HEADINGS = new Set(['heading', 'headline'])
/** Of an infographic, whose claims are short. */
const CLAIMS = 4
const MAX_CLAIM_LENGTH = 150

/** How a document ends that is sent as text. */
const DOCUMENT_END = /<\/(?:transcript|notes|passages)>\s*$/

/** Returns the `[12] text` lines of the documents in a prompt. */
function parseNumberedLines(request: MessagesRequest): NumberedLine[] {
  const documents = listBlocks({ ...request, system: '' }).filter(
    (block) => block.type === 'document' || DOCUMENT_END.test(readBlock(block)),
  )
  return documents.flatMap((block) =>
    [...readBlock(block).matchAll(/^\[(\d+)\] (.+)$/gm)].map(([, id, text]) => ({ id: Number(id), text: text ?? '' })),
  )
}

/** Maximum length of a text in an answer, in characters, regardless of how long the lines are. */
const MAX_TEXT_LENGTH = 600
/** Of a note: a sentence or two, however long the lines are that it is about. */
const MAX_NOTE_LENGTH = 240

/** Joins lines up to a length, whole words of them: a part of a number would be another number. */
function joinTexts(lines: NumberedLine[], maxLength = MAX_TEXT_LENGTH): string {
  const text = lines.map((line) => line.text).join(' ')
  const cut = text.slice(0, maxLength).toWellFormed()
  return cut.length < text.length && cut.includes(' ') ? cut.replace(/ \S*$/, '') : cut
}

/** How a prompt limits an answer, which the fake obeys. */
const MAX_WORDS = /at most (\d+) words in all/
const CHARACTERS_PER_WORD = 5
const MIN_TEXT_LENGTH = 30
const MAX_QUOTE_LENGTH = 60
const MAX_QUOTE_WORDS = 8

/** Returns the first words of a line, whole where the script separates words. */
function quoteFrom({ text }: NumberedLine): string {
  const words = text.split(' ').slice(0, MAX_QUOTE_WORDS)
  while (words.length > 1 && words.join(' ').length > MAX_QUOTE_LENGTH) words.pop()
  return words.join(' ').slice(0, MAX_QUOTE_LENGTH).toWellFormed()
}

/** Returns passages of a few lines each, spread evenly over all lines. */
function selectPassages(lines: NumberedLine[], count: number): NumberedLine[][] {
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * lines.length) / count)
    return lines.slice(start, start + LINES_PER_PASSAGE)
  })
}

interface FillState {
  listLengths: Record<string, number>
  maxTextLength?: number
  /** Used in order, one for each object that cites lines. */
  passages: NumberedLine[][]
  /** Passages used so far. */
  used: number
}

/** Returns the type of a value that may be null, which is given. */
const typeOf = ({ type }: JsonSchema): string | undefined =>
  Array.isArray(type) ? type.find((each) => each !== 'null') : type

/** Fills a schema. Each object that cites lines takes its texts and line numbers from a separate passage. */
function fill(schema: JsonSchema, name: string, state: FillState): unknown {
  const passage = state.passages[state.used % Math.max(1, state.passages.length)] ?? []
  if (schema.const !== undefined) return schema.const
  const [choice] = schema.enum ?? []
  if (choice !== undefined) return choice
  switch (typeOf(schema)) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      const filled = Object.fromEntries(properties.map(([inner, value]) => [inner, fill(value, inner, state)]))
      if (schema.properties?.segment_ids || schema.properties?.citations) state.used++
      return filled
    }
    case 'array': {
      const item = schema.items ?? { type: 'string' }
      if (item.type === 'integer' || item.type === 'number') return passage.map((line) => line.id)
      if (item.properties?.quote) return passage.map((line) => ({ segment_id: line.id, quote: quoteFrom(line) }))
      return Array.from({ length: state.listLengths[name] ?? DEFAULT_LIST_LENGTH }, () => fill(item, name, state))
    }
    case 'integer':
    case 'number':
      return passage[0]?.id ?? 0
    case 'boolean':
      return false
    default:
      if (name === 'quote' && passage[0]) return quoteFrom(passage[0])
      return HEADINGS.has(name)
        ? joinTexts(passage).split(' ').slice(0, HEADING_WORDS).join(' ')
        : joinTexts(passage, state.maxTextLength)
  }
}

interface WriteOptions {
  request: MessagesRequest
  lines: NumberedLine[]
  /** Follows the instructions in the document instead of those in the prompt. */
  obedient: boolean
}

const selectTextLength = ({ properties }: JsonSchema): number => {
  if (properties?.claims) return MAX_CLAIM_LENGTH
  return properties?.notes ? MAX_NOTE_LENGTH : MAX_TEXT_LENGTH
}

/** Fills the schema twice: first to count the passages it needs, then with these passages. */
function write(
  schema: JsonSchema,
  listLengths: Record<string, number>,
  { request, lines, obedient }: WriteOptions,
): unknown {
  const counting: FillState = { listLengths, passages: [], used: 0 }
  fill(schema, '', counting)
  const words = Number(MAX_WORDS.exec(selectInstruction(request))?.[1] ?? Number.POSITIVE_INFINITY)
  const maxTextLength = Math.max(
    MIN_TEXT_LENGTH,
    Math.min(selectTextLength(schema), Math.floor((words * CHARACTERS_PER_WORD) / Math.max(1, counting.used))),
  )
  const passages = selectPassages(lines, Math.max(1, counting.used))
  const payloads = obedient ? listPayloads(request, lines) : []
  const written = passages.map((passage, index) =>
    index % 2 === 1 ? (payloads[(index >> 1) % payloads.length] ?? passage) : passage,
  )
  return fill(schema, '', { listLengths, maxTextLength, passages: written, used: 0 })
}

const WORD = /[\p{L}\p{N}]{4,}/gu

/** Returns the lines that share most words with the question, in their order; evenly spread ones if none does. */
function selectRelevant(lines: NumberedLine[], question: string): NumberedLine[][] {
  const asked = new Set(question.toLowerCase().match(WORD))
  const rated = lines.map((line) => ({
    line,
    shared: (line.text.toLowerCase().match(WORD) ?? []).filter((word) => asked.has(word)).length,
  }))
  const relevant = rated.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared)
  if (relevant.length === 0) return selectPassages(lines, DEFAULT_LIST_LENGTH)
  return relevant
    .slice(0, DEFAULT_LIST_LENGTH)
    .map(({ line }) => [line])
    .sort(([a], [b]) => (a?.id ?? 0) - (b?.id ?? 0))
}

/** Writes plain text: a line for each passage, with the numbers of its lines behind it. */
function writeText({ request, lines, obedient }: WriteOptions): string {
  const payloads = obedient ? listPayloads(request, lines) : []
  const passages = payloads.length > 0 ? payloads : selectRelevant(lines, selectInstruction(request))
  return passages.map((passage) => `${joinTexts(passage)} [${passage.map((line) => line.id).join(', ')}]`).join('\n')
}

/** Writes an answer from the prompt's own lines. The same request always gets the same answer. */
export function writeAnswer(request: MessagesRequest, obedient = false): string {
  const instruction = selectInstruction(request)
  const lines = parseNumberedLines(request)
  const options = { request, lines, obedient }
  const schema = request.output_config?.format?.schema ?? findSchemaInText(instruction)
  if (!schema) return writeText(options)
  const lists = Object.entries(schema.properties ?? {})
  // Where lists are named after summary modes, only those that the instruction mentions get an entry.
  if (lists.some(([name, list]) => name in LIST_LENGTHS && list.items)) {
    const writeList = (name: string, { items = {} }: JsonSchema) =>
      instruction.includes(`"${name}"`) ? [write(items, LIST_LENGTHS[name] ?? {}, options)] : []
    return JSON.stringify(Object.fromEntries(lists.map(([name, list]) => [name, writeList(name, list)])))
  }
  const named = Object.keys(LIST_LENGTHS).find((mode) => instruction.includes(mode)) ?? ''
  const notes = Math.min(MAX_NOTES, Math.max(MIN_NOTES, Math.ceil(lines.length / LINES_PER_NOTE)))
  return JSON.stringify(write(schema, { notes, claims: CLAIMS, ...LIST_LENGTHS[named] }, options))
}
