import type { Cue } from '@subtext/contracts'
import { readCues, type Sql } from '@subtext/db'
import { LRUCache } from 'lru-cache'

const MAX_KEPT_BYTES = 8 * 1024 ** 2
/** Longer transcripts are read for each job. */
const MAX_KEPT_CUES = 2_000
const MAX_TRANSCRIPT_BYTES = 512 * 1024
const BYTES_PER_CHAR = 2
/** What a cue takes in memory besides its text. */
const BYTES_PER_CUE = 64
/** Limits how long a deleted transcript stays in memory. It is never used, because each job looks it up first. */
const KEEP_MS = 600_000

interface StoredTranscript {
  id: string
  /** Number of cues to read. A result may have only the first ones of its transcript. */
  cueCount: number
}

/**
 * Keeps the cues of short transcripts in memory, because a video that one job asked for is often asked for again. Jobs share
 * them and must not change them.
 */
export interface RecentCues {
  /** Keeps the cues of a transcript that was just stored, unless it is long. */
  keep(id: string, cues: Cue[]): void
  /** Returns the first `cueCount` cues, from memory or from the store. */
  read(db: Sql, transcript: StoredTranscript): Promise<Cue[]>
}

export function createRecentCues(): RecentCues {
  const kept = new LRUCache<string, Cue[]>({
    maxSize: MAX_KEPT_BYTES,
    maxEntrySize: MAX_TRANSCRIPT_BYTES,
    sizeCalculation: (cues) =>
      cues.reduce((bytes, { text }) => bytes + text.length * BYTES_PER_CHAR + BYTES_PER_CUE, BYTES_PER_CUE),
    ttl: KEEP_MS,
    ttlAutopurge: true,
  })
  const keyOf = ({ id, cueCount }: StoredTranscript): string => `${id} ${cueCount}`
  const keep = (id: string, cues: Cue[]): void => {
    if (cues.length <= MAX_KEPT_CUES) kept.set(keyOf({ id, cueCount: cues.length }), cues)
  }
  return {
    keep,
    async read(db, { id, cueCount }) {
      const known = kept.get(keyOf({ id, cueCount }))
      if (known) return known
      const cues: Cue[] = []
      for await (const part of readCues(db, id, cueCount)) cues.push(...part)
      keep(id, cues)
      return cues
    },
  }
}
