import { listPayloads } from './obey.ts'
import {
  type JsonSchema,
  listBlocks,
  type MessagesRequest,
  type NumberedLine,
  readBlock,
  selectInstruction,
} from './request.ts'

/** How many entries the lists of an answer get, by their names, in each kind of summary. */
const PLANS: Record<string, Record<string, number>> = {
  tldr: { sentences: 2 },
  detailed: { overview: 2, sections: 4, points: 3 },
  study_notes: { overview: 1, concepts: 3, points: 4, entries: 2 },
  timestamped: { moments: 8 },
  key_insights: { points: 3 },
}
const ENTRIES_OF_OTHER_LISTS = 2
const LINES_PER_NOTE = 25
const MOST_NOTES = 60
const FEWEST_NOTES = 4
const LINES_PER_PASSAGE = 3
const HEADING_WORDS = 5

/** `[12] text` lines of the documents of a prompt. */
function parseNumberedLines(request: MessagesRequest): NumberedLine[] {
  const documents = listBlocks(request).filter((block) => block.type === 'document')
  return documents.flatMap((block) =>
    [...readBlock(block).matchAll(/^\[(\d+)\] (.+)$/gm)].map(([, id, text]) => ({ id: Number(id), text: text ?? '' })),
  )
}

/** No text of an answer is longer, however long the lines are. */
const MAX_TEXT = 600

const joinTexts = (lines: NumberedLine[]): string =>
  lines
    .map((line) => line.text)
    .join(' ')
    .slice(0, MAX_TEXT)
    .toWellFormed()

/** Passages spread evenly over the lines, each some lines long. */
function selectPassages(lines: NumberedLine[], count: number): NumberedLine[][] {
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * lines.length) / count)
    return lines.slice(start, start + LINES_PER_PASSAGE)
  })
}

interface Filling {
  plan: Record<string, number>
  /** One after the other, for each object that names the lines it rests on. */
  passages: NumberedLine[][]
  /** Objects met so far. */
  used: number
}

/** Fills a schema. Each object that holds numbers of lines takes its texts and numbers from a passage of its own. */
function fill(schema: JsonSchema, name: string, filling: Filling): unknown {
  const passage = filling.passages[filling.used % Math.max(1, filling.passages.length)] ?? []
  if (schema.const !== undefined) return schema.const
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      const filled = Object.fromEntries(properties.map(([inner, value]) => [inner, fill(value, inner, filling)]))
      if (schema.properties?.segment_ids) filling.used++
      return filled
    }
    case 'array': {
      const item = schema.items ?? { type: 'string' }
      if (item.type === 'integer' || item.type === 'number') return passage.map((line) => line.id)
      return Array.from({ length: filling.plan[name] ?? ENTRIES_OF_OTHER_LISTS }, () => fill(item, name, filling))
    }
    case 'integer':
    case 'number':
      return passage[0]?.id ?? 0
    case 'boolean':
      return false
    default:
      return name === 'heading' ? joinTexts(passage).split(' ').slice(0, HEADING_WORDS).join(' ') : joinTexts(passage)
  }
}

interface Writing {
  request: MessagesRequest
  lines: NumberedLine[]
  /** Does what the document orders instead of what it was asked. */
  obedient: boolean
}

/** The schema filled once to count its passages, and then with them. */
function write(schema: JsonSchema, plan: Record<string, number>, { request, lines, obedient }: Writing): unknown {
  const counting: Filling = { plan, passages: [], used: 0 }
  fill(schema, '', counting)
  const passages = selectPassages(lines, Math.max(1, counting.used))
  const payloads = obedient ? listPayloads(request, lines) : []
  const told = passages.map((passage, index) =>
    index % 2 === 1 ? (payloads[(index >> 1) % payloads.length] ?? passage) : passage,
  )
  return fill(schema, '', { plan, passages: told, used: 0 })
}

/** Answer made of the prompt's own lines; the same request always gets the same one. */
export function writeAnswer(request: MessagesRequest, obedient = false): string {
  const instruction = selectInstruction(request)
  const lines = parseNumberedLines(request)
  const writing = { request, lines, obedient }
  const schema = request.output_config?.format?.schema
  if (!schema) return selectPassages(lines, ENTRIES_OF_OTHER_LISTS).map(joinTexts).join('\n')
  const lists = Object.entries(schema.properties ?? {})
  // Of lists that are named as the kinds of summaries, those that the instruction names get one entry.
  if (lists.some(([name, list]) => name in PLANS && list.items)) {
    const writeList = (name: string, { items = {} }: JsonSchema) =>
      instruction.includes(`"${name}"`) ? [write(items, PLANS[name] ?? {}, writing)] : []
    return JSON.stringify(Object.fromEntries(lists.map(([name, list]) => [name, writeList(name, list)])))
  }
  const named = Object.keys(PLANS).find((mode) => instruction.includes(mode)) ?? ''
  const notes = Math.min(MOST_NOTES, Math.max(FEWEST_NOTES, Math.ceil(lines.length / LINES_PER_NOTE)))
  return JSON.stringify(write(schema, { notes, ...PLANS[named] }, writing))
}
