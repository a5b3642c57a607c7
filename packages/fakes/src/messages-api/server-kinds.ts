import type { Wire } from './answer.ts'
import { type ContentBlock, type JsonSchema, listBlocks, type MessagesRequest, readBlock } from './request.ts'

/** What a server does with a part of the API: uses it, ignores it silently, or refuses the request (400). */
type Treatment = 'used' | 'ignored' | 'refused'

/** How a server differs from the provider's own. */
export interface ServerTraits {
  schema: Treatment
  documents: Treatment
  effort: Treatment
  cache: Treatment
  /** Text that a model writes around JSON if it was asked for it only in the prompt. */
  wrapping: 'none' | 'fence' | 'prose' | 'thoughts' | 'thoughts without a beginning'
  /** Does not say which tokens came from a cache. */
  hidesCacheCounts: boolean
  /** Prompt and answer together. */
  contextTokens: number
  /** What happens to a prompt that is too long: it is refused, or its end alone is read. */
  overflow: 'refused' | 'cut'
  wire: Wire
}

const FULL: ServerTraits = {
  schema: 'used',
  documents: 'used',
  effort: 'used',
  cache: 'used',
  wrapping: 'none',
  hidesCacheCounts: false,
  contextTokens: Number.POSITIVE_INFINITY,
  overflow: 'refused',
  wire: 'provider',
}
const SMALL_CONTEXT = 4_096
const TEXT_ONLY: ServerTraits = {
  ...FULL,
  schema: 'ignored',
  documents: 'ignored',
  cache: 'ignored',
  hidesCacheCounts: true,
}

/** Servers that speak the Messages API in part: four that people run, and then one for each way in which others differ. */
export const SERVER_KINDS = {
  Ollama: { ...TEXT_ONLY, wire: 'Ollama' },
  'llama.cpp': { ...TEXT_ONLY, effort: 'ignored', wire: 'llama.cpp' },
  vLLM: { ...FULL, documents: 'refused', cache: 'ignored', hidesCacheCounts: true, wire: 'vLLM' },
  LiteLLM: { ...TEXT_ONLY, schema: 'used', effort: 'ignored', wire: 'LiteLLM' },
  'no schema': TEXT_ONLY,
  'no cache counts': { ...FULL, cache: 'ignored', hidesCacheCounts: true },
  'no documents': { ...FULL, documents: 'refused', cache: 'ignored', hidesCacheCounts: true },
  'documents dropped': { ...FULL, documents: 'ignored' },
  'strict about fields': { ...FULL, schema: 'refused', effort: 'refused', cache: 'refused', documents: 'refused' },
  'no effort': { ...TEXT_ONLY, effort: 'refused' },
  'JSON in fences': { ...TEXT_ONLY, wrapping: 'fence' },
  'JSON within prose': { ...TEXT_ONLY, wrapping: 'prose' },
  'thinking text first': { ...TEXT_ONLY, wrapping: 'thoughts' },
  'end of thinking text first': { ...TEXT_ONLY, wrapping: 'thoughts without a beginning' },
  '4,096 tokens of context': { ...TEXT_ONLY, contextTokens: SMALL_CONTEXT },
  '4,096 tokens of context with schemas': { ...FULL, documents: 'refused', contextTokens: SMALL_CONTEXT },
  '4,096 tokens of context, cut silently': { ...TEXT_ONLY, contextTokens: SMALL_CONTEXT, overflow: 'cut' },
} as const satisfies Record<string, ServerTraits>

export type ServerKind = keyof typeof SERVER_KINDS

export const traitsOf = (kind: ServerKind | undefined): ServerTraits => (kind ? SERVER_KINDS[kind] : FULL)

const LITERAL_ERROR =
  "{'type': 'literal_error', 'msg': \"Input should be 'text', 'image' or 'tool_use'\", 'input': 'document'}"

/** Returns the message with which the server refuses a request that the provider would accept, or null. */
export function findRefusal(request: MessagesRequest, traits: ServerTraits): string | null {
  const blocks = listBlocks(request)
  const { effort, format } = request.output_config ?? {}
  if (traits.documents === 'refused' && blocks.some(({ type }) => type === 'document')) {
    // Repeats what it did not understand, the transcript included.
    const content = JSON.stringify(request.messages[0]?.content).replaceAll('"', "'")
    const whole = `1 validation error:\n  {'type': 'string_type', 'loc': ('body', 'messages', 0, 'content', 'str'), 'msg': 'Input should be a valid string', 'input': ${content}}\n  `
    return traits.wire === 'vLLM' ? `${whole}${LITERAL_ERROR}` : `[${LITERAL_ERROR}]`
  }
  if (traits.schema === 'refused' && format) return 'output_config.format: Extra inputs are not permitted'
  if (traits.effort === 'refused' && effort) return '"a-model" does not support thinking'
  if (traits.cache === 'refused' && blocks.some((block) => block.cache_control)) {
    return 'messages.0.content.0.cache_control: Extra inputs are not permitted'
  }
  return null
}

const contentOf = (content: string | ContentBlock[]): ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Returns the request as the server understands it: without what it ignores. */
export function readAs(request: MessagesRequest, traits: ServerTraits): MessagesRequest {
  const { effort, format } = request.output_config ?? {}
  const keepBlock = ({ type }: ContentBlock): boolean => type !== 'document' || traits.documents === 'used'
  const readContent = (block: ContentBlock): ContentBlock => {
    const { cache_control, ...rest } = block
    return traits.cache === 'used' ? block : rest
  }
  return {
    ...request,
    messages: request.messages.map(({ role, content }) => ({
      role,
      content: contentOf(content).filter(keepBlock).map(readContent),
    })),
    output_config: {
      ...(effort && traits.effort === 'used' && { effort }),
      ...(format && traits.schema === 'used' && { format }),
    },
  }
}

/** Returns the end of the prompt, which is all that a server reads if it cuts prompts that do not fit. */
export function cutPrompt(request: MessagesRequest, maxCharacters: number): MessagesRequest {
  let left = maxCharacters
  const messages = request.messages.toReversed().map(({ role, content }) => ({
    role,
    content: contentOf(content)
      .toReversed()
      .flatMap((block): ContentBlock[] => {
        const text = left > 0 ? readBlock(block).slice(-left) : ''
        left -= text.length
        return text === '' ? [] : [{ type: 'text', text }]
      })
      .toReversed(),
  }))
  const system = readSystem(request).slice(0, Math.max(0, left))
  return { ...request, system, messages: messages.toReversed() }
}

const readSystem = ({ system = '' }: MessagesRequest): string =>
  typeof system === 'string' ? system : system.map(readBlock).join('\n')

const SCHEMA_START = '{"type":"object"'

/** Returns the JSON Schema that the prompt asks for in words. */
export function findSchemaInText(instruction: string): JsonSchema | null {
  const start = instruction.indexOf(SCHEMA_START)
  if (start < 0) return null
  const line = instruction.slice(start).split('\n')[0] ?? ''
  return JSON.parse(line)
}

/** Returns an answer with what models write around it. */
export function wrapAnswer(text: string, isJson: boolean, wrapping: ServerTraits['wrapping']): string {
  const thoughts = 'The reader wants {"a": summary}.\nI should answer in JSON: {"tldr": []}. Let me see [1].'
  switch (wrapping) {
    case 'none':
      return text
    case 'thoughts':
      return `<think>\n${thoughts}\n</think>\n\n${text}`
    case 'thoughts without a beginning':
      return `${thoughts}\n</think>\n\n${text}`
    case 'fence':
      return isJson ? `\`\`\`json\n${text}\n\`\`\`` : text
    case 'prose':
      return isJson ? `Sure! Here is {the JSON} you asked for:\n\n\`\`\`json\n${text}\n\`\`\`\n\nLet me know.` : text
  }
}
