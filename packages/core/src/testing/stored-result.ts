import { randomUUID } from 'node:crypto'
import type { StoredResult } from '../jobs/result-sql.ts'

/** Builds a result without a summary. */
export const newStoredResult = (jobId: string, overrides: Partial<StoredResult> = {}): StoredResult => ({
  jobId,
  transcriptId: randomUUID(),
  cueCount: 0,
  truncated: false,
  selectionReason: 'manual_first',
  videoInfo: {} as StoredResult['videoInfo'],
  citedStarts: {},
  usage: {
    input_tokens: 5,
    output_tokens: 6,
    cached_input_tokens: 7,
    total_tokens: 18,
    cost_usd: 0.25,
    model: 'm',
    cached: false,
  },
  processingMs: 5,
  completedAt: new Date('2026-11-21T12:00:00.000Z'),
  ...overrides,
})
