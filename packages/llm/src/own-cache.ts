import type { CacheDuration, TextModelUsage } from './text-model.ts'

/**
 * Returns the usage of a call as it would be if the provider's cache had not held its document. All accounts share that cache,
 * so what it holds because of another account's call must not be visible in the usage of this one.
 */
export function withoutCacheReads(usage: TextModelUsage, cacheDocument: CacheDuration | null): TextModelUsage {
  const { inputTokens, cacheWriteTokens, cachedInputTokens, hourCacheWriteTokens = 0 } = usage
  if (cachedInputTokens === 0) return usage
  if (cacheDocument === null) return { ...usage, inputTokens: inputTokens + cachedInputTokens, cachedInputTokens: 0 }
  return {
    ...usage,
    cachedInputTokens: 0,
    cacheWriteTokens: cacheWriteTokens + cachedInputTokens,
    ...(cacheDocument === '1h' && { hourCacheWriteTokens: hourCacheWriteTokens + cachedInputTokens }),
  }
}
