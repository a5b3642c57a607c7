import { recordKeyUses } from '@subtext/db'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'

/** The last use of a key is written at most once in this time. */
const ACCURACY_MS = 60_000
const WRITE_AFTER_MS = 1_000
const MAX_RECENT_KEYS = 50_000

export interface KeyUseRecorder {
  /** Records a use in memory. It is written later, together with the uses of other keys. */
  record(apiKeyId: string): void
  /** Writes what has not been written yet. */
  close(): Promise<void>
}

export function createKeyUseRecorder(ctx: Pick<Context, 'db' | 'clock' | 'log'>): KeyUseRecorder {
  const recent = new LRUCache<string, true>({ max: MAX_RECENT_KEYS, ttl: ACCURACY_MS })
  let waiting: { apiKeyId: string; usedAt: Date }[] = []
  let timer: NodeJS.Timeout | undefined

  let writing = Promise.resolve()

  const writeWaiting = async (): Promise<void> => {
    const uses = waiting
    waiting = []
    if (uses.length === 0) return
    try {
      await recordKeyUses(ctx.db, uses)
    } catch (error) {
      // Forget these uses, so that the next use of each key is written.
      for (const { apiKeyId } of uses) recent.delete(apiKeyId)
      ctx.log.warn('key uses not written', { keys: uses.length, error: (error as Error).message })
    }
  }

  const write = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeWaiting)
    return writing
  }

  return {
    record(apiKeyId) {
      if (recent.has(apiKeyId)) return
      recent.set(apiKeyId, true)
      waiting.push({ apiKeyId, usedAt: ctx.clock() })
      timer ??= setTimeout(write, WRITE_AFTER_MS).unref()
    },
    close: write,
  }
}
