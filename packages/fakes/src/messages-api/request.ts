/** The parts of a Messages API request that the fake reads. */
export interface MessagesRequest {
  model: string
  max_tokens: number
  stream?: boolean
  system?: string | ContentBlock[]
  messages: { role: string; content: string | ContentBlock[] }[]
  tools?: unknown[]
  tool_choice?: unknown
  thinking?: unknown
  output_config?: { effort?: string; format?: { type: string; schema: JsonSchema } }
}

export interface ContentBlock {
  type: string
  text?: string
  source?: { type: string; data?: string; content?: string | ContentBlock[] }
  cache_control?: { type: string; ttl?: string }
}

export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  const?: unknown
  additionalProperties?: boolean
  [keyword: string]: unknown
}

/** A line of a document that an answer can cite by its number. */
export interface NumberedLine {
  id: number
  text: string
}

const MAX_BREAKPOINTS = 4
const SAMPLING = ['temperature', 'top_p', 'top_k']
/** Constraints that structured output does not support; the SDK's schema helpers move them into descriptions. */
const UNSUPPORTED_KEYWORDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'multipleOf']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const blocksOf = (content: string | ContentBlock[] | undefined): ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])

/** Returns every block of the prompt in caching order: the system prompt first. */
export const listBlocks = (request: MessagesRequest): ContentBlock[] => [
  ...blocksOf(request.system),
  ...request.messages.flatMap((message) => blocksOf(message.content)),
]

/** Returns the text that a model would read from a block. */
export const readBlock = ({ text, source }: ContentBlock): string =>
  text ?? source?.data ?? blocksOf(source?.content).map(readBlock).join('\n')

/** Returns the last text of the prompt, which says what to do with the rest. */
export function selectInstruction(request: MessagesRequest): string {
  const content = request.messages.at(-1)?.content ?? ''
  if (typeof content === 'string') return content
  return content.findLast((block) => block.type === 'text')?.text ?? ''
}

function findSchemaProblem(schema: JsonSchema): string | null {
  const keyword = UNSUPPORTED_KEYWORDS.find((name) => name in schema)
  if (keyword) return `output_config.format.schema: '${keyword}' is not supported`
  if (schema.type === 'object' && schema.additionalProperties !== false) {
    return "output_config.format.schema: 'additionalProperties' must be false for objects"
  }
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ]
  return inner.map(findSchemaProblem).find((problem) => problem !== null) ?? null
}

/** Returns the message with which the real API would refuse the request (400), or `null` when the request is valid. */
export function findRequestProblem(body: unknown, needsMaxTokens: boolean): string | null {
  if (!isRecord(body)) return 'the body must be a JSON object'
  if (typeof body.model !== 'string') return 'model: Field required'
  if (needsMaxTokens && typeof body.max_tokens !== 'number') return 'max_tokens: Field required'
  if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages: at least one message is required'
  const sampling = SAMPLING.find((name) => name in body)
  if (sampling) return `${sampling}: Extra inputs are not permitted`
  const request = body as unknown as MessagesRequest
  if (request.messages.at(-1)?.role === 'assistant') return 'messages: prefilling the answer is not supported'
  const breakpoints = listBlocks(request).filter((block) => block.cache_control).length
  if (breakpoints > MAX_BREAKPOINTS) return `at most ${MAX_BREAKPOINTS} blocks may have cache_control`
  const schema = request.output_config?.format?.schema
  return schema ? findSchemaProblem(schema) : null
}
