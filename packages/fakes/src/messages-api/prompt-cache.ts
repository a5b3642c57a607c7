import { createHash } from 'node:crypto'
import { type ContentBlock, listBlocks, type MessagesRequest, readBlock } from './request.ts'

/** A rough estimate for English text; all that matters here is that it is deterministic. */
const CHARACTERS_PER_TOKEN = 4

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

export interface PromptTokens {
  /** Hash of the cached prefix; `null` without any `cache_control`, or when the prefix is too short to be cached. */
  prefixHash: string | null
  prefixTokens: number
  /** Tokens after the prefix. */
  restTokens: number
  /** Whether the prefix is to be kept for an hour instead of five minutes. */
  isKeptForHour: boolean
}

const countBlocks = (blocks: ContentBlock[]): number =>
  blocks.reduce((sum, block) => sum + countTokens(readBlock(block)), 0)

/**
 * Splits the prompt at the last cache breakpoint and counts its tokens. Prefixes with the same bytes have the same hash:
 * model, tools, thinking, output format and effort, and every block, in the order in which the provider reads them. A
 * different schema makes a different prefix (https://repost.aws/questions/QU8vD_0LztT7KBTuNs86Kpug). Prefixes of fewer
 * than `minTokens` are silently not cached.
 */
export function measurePrompt(request: MessagesRequest, minTokens = 0): PromptTokens {
  const blocks = listBlocks(request)
  const end = blocks.findLastIndex((block) => block.cache_control) + 1
  const prefix = blocks.slice(0, end)
  const prefixTokens = countBlocks(prefix)
  if (end === 0 || prefixTokens < minTokens) {
    return { prefixHash: null, prefixTokens: 0, restTokens: countBlocks(blocks), isKeptForHour: false }
  }
  const { model, tools, tool_choice, thinking, output_config } = request
  const bytes = JSON.stringify([model, tools, tool_choice, thinking, output_config, prefix])
  return {
    prefixHash: createHash('sha256').update(bytes).digest('hex'),
    prefixTokens,
    restTokens: countBlocks(blocks.slice(end)),
    isKeptForHour: prefix.at(-1)?.cache_control?.ttl === '1h',
  }
}

export const hashPrompt = ({ model, system, messages }: MessagesRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([model, system, messages]))
    .digest('hex')

export type CacheUse = 'none' | 'write' | 'read'

interface PromptCache {
  /** Returns what a request with this prefix would do to the cache now. */
  lookUp(prefixHash: string | null): CacheUse
  /** Makes the prefix readable. Called when the first response with it has started. */
  add(prefixHash: string | null): void
}

/** Creates a cache whose entries never expire: the real lifetime of five minutes outlasts any use of the fake. */
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
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number }
}

/** Builds the usage block. As in the real API, `input_tokens` excludes tokens written to or read from the cache. */
export function buildUsage(tokens: PromptTokens, use: CacheUse, outputTokens: number): WireUsage {
  const written = use === 'write' ? tokens.prefixTokens : 0
  return {
    input_tokens: tokens.restTokens,
    output_tokens: outputTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: use === 'read' ? tokens.prefixTokens : 0,
    cache_creation: {
      ephemeral_5m_input_tokens: tokens.isKeptForHour ? 0 : written,
      ephemeral_1h_input_tokens: tokens.isKeptForHour ? written : 0,
    },
  }
}
