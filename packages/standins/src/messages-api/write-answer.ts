import { type JsonSchema, listBlocks, type MessagesRequest, readBlock, selectInstruction } from './request.ts'

interface NumberedLine {
  id: number
  text: string
}

/** How many entries each list of a summary gets. */
interface Plan {
  overview: number
  sections: number
  points: number
}

const PLANS: Record<string, Plan> = {
  tldr: { overview: 2, sections: 0, points: 0 },
  detailed: { overview: 2, sections: 4, points: 3 },
  study_notes: { overview: 1, sections: 3, points: 4 },
  timestamped: { overview: 0, sections: 4, points: 2 },
  key_insights: { overview: 1, sections: 2, points: 3 },
}
const DEFAULT_PLAN: Plan = { overview: 2, sections: 2, points: 2 }
const ENTRIES_OF_OTHER_LISTS = 2
const LINES_PER_PASSAGE = 3
const HEADING_WORDS = 5

/** `[12] text` lines of the documents of a prompt. */
function parseNumberedLines(request: MessagesRequest): NumberedLine[] {
  const documents = listBlocks(request).filter((block) => block.type === 'document')
  return documents.flatMap((block) =>
    [...readBlock(block).matchAll(/^\[(\d+)\] (.+)$/gm)].map(([, id, text]) => ({ id: Number(id), text: text ?? '' })),
  )
}

const joinTexts = (lines: NumberedLine[]): string => lines.map((line) => line.text).join(' ')

function selectPlan(request: MessagesRequest): Plan {
  const instruction = selectInstruction(request)
  const named = Object.keys(PLANS)
    .map((mode) => ({ mode, at: instruction.indexOf(mode) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0]
  return named ? (PLANS[named.mode] ?? DEFAULT_PLAN) : DEFAULT_PLAN
}

const countPassages = (plan: Plan): number => Math.max(1, plan.overview + plan.sections * plan.points)

/** Passages spread evenly over the lines, each some lines long. */
function selectPassages(lines: NumberedLine[], count: number): NumberedLine[][] {
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * lines.length) / count)
    return lines.slice(start, start + LINES_PER_PASSAGE)
  })
}

/** Fills a schema. Each object that holds a text takes its text and ids from a passage of its own. */
function fillSchema(root: JsonSchema, plan: Plan, passages: NumberedLine[][]): unknown {
  let next = 0
  const passage = () => passages[next % passages.length] ?? []
  const words = () => joinTexts(passage())

  const fillArray = (schema: JsonSchema, name: string): unknown[] => {
    const item = schema.items ?? { type: 'string' }
    if (item.type === 'integer' || item.type === 'number') return passage().map((line) => line.id)
    const length = name in plan ? plan[name as keyof Plan] : ENTRIES_OF_OTHER_LISTS
    return Array.from({ length }, () => fill(item, name))
  }
  const fillObject = (schema: JsonSchema): Record<string, unknown> => {
    const properties = Object.entries(schema.properties ?? {})
    const filled = Object.fromEntries(properties.map(([name, inner]) => [name, fill(inner, name)]))
    if (schema.properties?.text) next++
    return filled
  }
  const fill = (schema: JsonSchema, name: string): unknown => {
    switch (schema.type) {
      case 'object':
        return fillObject(schema)
      case 'array':
        return fillArray(schema, name)
      case 'integer':
      case 'number':
        return passage()[0]?.id ?? 0
      case 'boolean':
        return false
      default:
        return name === 'heading' ? words().split(' ').slice(0, HEADING_WORDS).join(' ') : words()
    }
  }
  return fill(root, '')
}

/** Answer made of the prompt's own lines; the same request always gets the same one. */
export function writeAnswer(request: MessagesRequest): string {
  const plan = selectPlan(request)
  const passages = selectPassages(parseNumberedLines(request), countPassages(plan))
  const schema = request.output_config?.format?.schema
  if (schema) return JSON.stringify(fillSchema(schema, plan, passages))
  return passages.map(joinTexts).join('\n')
}
