import type { z } from 'zod'
import type { DefaultResult, StructuredResult } from '../routes/result.ts'
import { COMPLETED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'

const TITLE = 'Rivers and the sea'
const TLDR = 'Rivers follow the slope from the rain to the sea. What they carry builds the coast.'

const QUALITY = { coverage: 1, citation_precision: 1, unsupported_claims: 0, strategy: 'per_mode' } as const

const shared = {
  job_id: JOB_ID,
  status: 'completed' as const,
  video_info: {
    video_id: VIDEO_ID,
    url: VIDEO_URL,
    title: TITLE,
    channel: { id: 'UC0123456789', name: 'Field notes', url: 'https://www.youtube.com/channel/UC0123456789' },
    description: 'A walk along a river.',
    published_at: '2025-05-06T07:08:09Z',
    duration_seconds: 9,
    thumbnail_url: `https://i.ytimg.com/vi/${VIDEO_ID}/hqdefault.jpg`,
    language: 'en',
    is_live_archive: false,
    chapters: [{ title: 'Rain', start: 0 }],
    available_tracks: [{ language: 'en', kind: 'manual' as const, name: 'English', is_default: true }],
  },
  processing_time: 9.34,
  completed_at: COMPLETED_AT,
  usage: {
    input_tokens: 1840,
    output_tokens: 212,
    cached_input_tokens: 0,
    total_tokens: 2052,
    cost_usd: 0.000326,
    model: 'claude-haiku-5-5',
    cached: false,
    cache_write_tokens: 1420,
    by_mode: {
      tldr: {
        fresh_input_tokens: 420,
        cache_write_tokens: 1420,
        cached_input_tokens: 0,
        output_tokens: 212,
        cost_usd: 0.000326,
      },
    },
    overhead: {
      fresh_input_tokens: 0,
      cache_write_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    },
  },
  quality: { ...QUALITY, truncated: false, injection_suspected: false },
  client_reference: 'order-1042',
}

const transcript = {
  language: 'en',
  kind: 'manual',
  name: 'English',
  selection_reason: 'manual_spoken_language',
  truncated: false,
  cleaning: { removed_duplicates: 0, removed_non_speech: 1, characters_before: 63, characters_after: 56 },
} as const

export const DEFAULT_RESULT: z.input<typeof DefaultResult> = {
  ...shared,
  format: 'markdown',
  transcript: { ...transcript, text: 'Rain falls on the hills. Rivers flow. They end in the sea.' },
  summaries: { tldr: `${TLDR} [0:03](${VIDEO_URL}&t=3s)` },
}

export const STRUCTURED_RESULT: z.input<typeof StructuredResult> = {
  ...shared,
  format: 'json',
  transcript: {
    ...transcript,
    segments: [
      { id: 1, start: 0, duration: 3, text: 'Rain falls on the hills.' },
      { id: 2, start: 3, duration: 3, text: 'Rivers flow.' },
      { id: 3, start: 6, duration: 3, text: 'They end in the sea.' },
    ],
  },
  summaries: {
    tldr: {
      text: TLDR,
      citations: [{ segment_id: 2, start: 3, url: `${VIDEO_URL}&t=3s` }],
      model: 'claude-haiku-5-5',
      quality: QUALITY,
    },
  },
}
