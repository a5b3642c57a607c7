import { recordKeyUses } from '@subtext/db'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'

/** A key's time of use is written once in so long, whatever it does meanwhile. */
const ACCURACY_MS = 60_000
const WRITE_AFTER_MS = 1_000
const REMEMBERED_KEYS = 50_000

export interface KeyUseRecorder {
  /** Costs the caller nothing: the time is written later, together with those of other keys. */
  note(apiKeyId: string): void
  /** Writes what is not written yet. */
  close(): Promise<void>
}

export function createKeyUseRecorder(ctx: Pick<Context, 'db' | 'clock' | 'log'>): KeyUseRecorder {
  const recent = new LRUCache<string, true>({ max: REMEMBERED_KEYS, ttl: ACCURACY_MS })
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
      // The next use of the key is written instead.
      for (const { apiKeyId } of uses) recent.delete(apiKeyId)
      ctx.log.warn('uses of keys not recorded', { keys: uses.length, error: (error as Error).message })
    }
  }

  const write = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeWaiting)
    return writing
  }

  return {
    note(apiKeyId) {
      if (recent.has(apiKeyId)) return
      recent.set(apiKeyId, true)
      waiting.push({ apiKeyId, usedAt: ctx.clock() })
      timer ??= setTimeout(write, WRITE_AFTER_MS).unref()
    },
    close: write,
  }
}
