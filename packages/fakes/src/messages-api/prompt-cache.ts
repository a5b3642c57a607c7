import { createHash } from 'node:crypto'
import { type ContentBlock, listBlocks, type MessagesRequest, readBlock } from './request.ts'

/** Rough length of English text in tokens; only its being the same every time matters here. */
const CHARACTERS_PER_TOKEN = 4

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

export interface PromptTokens {
  /** Of what is cached; `null` without any `cache_control`, or when it is too short to be cached. */
  prefixHash: string | null
  prefixTokens: number
  /** Everything after the prefix. */
  restTokens: number
}

const countBlocks = (blocks: ContentBlock[]): number =>
  blocks.reduce((sum, block) => sum + countTokens(readBlock(block)), 0)

/**
 * The same bytes up to the breakpoint give the same hash: model, tools, thinking, the format and effort of the output,
 * and every block, in the order in which the provider reads them. Another schema is another prefix
 * (https://repost.aws/questions/QU8vD_0LztT7KBTuNs86Kpug). `minimum`: a shorter prefix is not cached, and nobody says so.
 */
export function measurePrompt(request: MessagesRequest, minimum = 0): PromptTokens {
  const blocks = listBlocks(request)
  const end = blocks.findLastIndex((block) => block.cache_control) + 1
  const prefix = blocks.slice(0, end)
  const prefixTokens = countBlocks(prefix)
  if (end === 0 || prefixTokens < minimum) return { prefixHash: null, prefixTokens: 0, restTokens: countBlocks(blocks) }
  const { model, tools, tool_choice, thinking, output_config } = request
  const bytes = JSON.stringify([model, tools, tool_choice, thinking, output_config, prefix])
  return {
    prefixHash: createHash('sha256').update(bytes).digest('hex'),
    prefixTokens,
    restTokens: countBlocks(blocks.slice(end)),
  }
}

export const hashPrompt = ({ model, system, messages }: MessagesRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([model, system, messages]))
    .digest('hex')

export type CacheUse = 'none' | 'write' | 'read'

interface PromptCache {
  /** What a request with this prefix would do now. */
  lookUp(prefixHash: string | null): CacheUse
  /** The first response with the prefix has begun: from now on others can read it. */
  add(prefixHash: string | null): void
}

/** Entries never expire: the real five minutes are longer than any use of the stand-in. */
export function createPromptCache(): PromptCache {
  const readable = new Set<string>()
  return {
    lookUp(prefixHash) {
      if (prefixHash === null) return 'none'
      return readable.has(prefixHash) ? 'read' : 'write'
    },
    add(prefixHash) {
      if (prefixHash !== null) readable.add(prefixHash)
    },
  }
}

export interface WireUsage {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
}

/** `input_tokens` leaves out what was written to or read from the cache, as the real API does. */
export const buildUsage = (tokens: PromptTokens, use: CacheUse, outputTokens: number): WireUsage => ({
  input_tokens: tokens.restTokens,
  output_tokens: outputTokens,
  cache_creation_input_tokens: use === 'write' ? tokens.prefixTokens : 0,
  cache_read_input_tokens: use === 'read' ? tokens.prefixTokens : 0,
})
