import type { CacheDuration, TextModelUsage } from './text-model.ts'

/**
 * Returns the usage of a call as it would be if the provider's cache had not held its document. All accounts share that cache:
 * what it holds because of another one's call must not show in what this account is told.
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
