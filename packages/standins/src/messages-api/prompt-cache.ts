import { createHash } from 'node:crypto'
import { listBlocks, type MessagesRequest, readBlock } from './request.ts'

/** Rough length of English text in tokens; only its being the same every time matters here. */
const CHARACTERS_PER_TOKEN = 4

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

export interface PromptTokens {
  /** Of the blocks up to the last `cache_control`; `null` without one. */
  prefixHash: string | null
  prefixTokens: number
  /** Everything after the prefix. */
  restTokens: number
}

/** The same model and the same bytes up to the breakpoint give the same hash. */
export function measurePrompt(request: MessagesRequest): PromptTokens {
  const blocks = listBlocks(request)
  const end = blocks.findLastIndex((block) => block.cache_control) + 1
  const prefix = blocks.slice(0, end)
  const tokens = (part: typeof blocks) => part.reduce((sum, block) => sum + countTokens(readBlock(block)), 0)
  return {
    prefixHash:
      end === 0
        ? null
        : createHash('sha256')
            .update(JSON.stringify([request.model, prefix]))
            .digest('hex'),
    prefixTokens: tokens(prefix),
    restTokens: tokens(blocks.slice(end)),
  }
}

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

interface WireUsage {
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
