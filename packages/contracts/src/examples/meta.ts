import type { Meta } from '../envelope.ts'

/** Values that the examples share, so that they all show the same job. */
export const JOB_ID = '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11'
export const API = 'https://api.example.org/api/v1'
export const VIDEO_ID = 'dQw4w9WgXcQ'
export const VIDEO_URL = `https://www.youtube.com/watch?v=${VIDEO_ID}`
export const CREATED_AT = '2026-01-01T00:00:12.050Z'
export const COMPLETED_AT = '2026-01-01T00:00:21.450Z'

export const EXAMPLE_META: Meta = {
  request_id: '0193a1f0-9b20-7c44-8a01-52c9d0e3f7aa',
  timestamp: '2026-01-01T00:00:21.480Z',
  version: 'v1',
}
