import type { Context } from '../context.ts'
import { recordKeyUses } from './keys-sql.ts'

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
  /**
   * When the last recorded use of each key was, the oldest first. An LRUCache would take 5 ms and 2 MB for its arrays in each
   * process.
   */
  const recent = new Map<string, number>()
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

  /** The key is written once more at its next use. */
  const forgetOldest = (): void => {
    for (const apiKeyId of recent.keys()) {
      recent.delete(apiKeyId)
      return
    }
  }

  return {
    record(apiKeyId) {
      const now = performance.now()
      const last = recent.get(apiKeyId)
      if (last !== undefined && now - last < ACCURACY_MS) return
      recent.delete(apiKeyId)
      recent.set(apiKeyId, now)
      waiting.push({ apiKeyId, usedAt: ctx.clock() })
      if (recent.size > MAX_RECENT_KEYS) forgetOldest()
      timer ??= setTimeout(write, WRITE_AFTER_MS).unref()
    },
    close: write,
  }
}
