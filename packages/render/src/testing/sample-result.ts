import type { Cue, SummaryContent } from '@subtext/contracts'
import type { RenderableResult } from '../renderable-result.ts'

/** Returns cues of three seconds each, without pauses. */
export const buildCues = (texts: string[]): Cue[] =>
  texts.map((text, index) => ({ startMs: index * 3_000, durationMs: 3_000, text }))

/** Returns a function that reads the cues in parts of `size`. */
export const inParts = (cues: Cue[], size = cues.length): RenderableResult['cues'] =>
  async function* () {
    for (let at = 0; at < cues.length; at += size) yield cues.slice(at, at + size)
  }

export const sampleContent: SummaryContent = {
  overview: [
    { text: 'Glaciers store water.', segmentIds: [2] },
    { text: 'They shrink.', segmentIds: [1, 2] },
  ],
  sections: [
    {
      heading: 'Why it matters',
      points: [
        { text: 'Rivers start there', segmentIds: [3] },
        { text: 'Nobody said this', segmentIds: [99] },
      ],
    },
    { heading: 'Measures', points: [{ text: 'Stakes show the melt', segmentIds: [2, 1] }] },
  ],
}

/** Segment 3 starts after one hour. */
export const sampleStarts = new Map([
  [1, 0],
  [2, 65_250],
  [3, 3_723_000],
])

export const buildSampleResult = (changes: Partial<RenderableResult> = {}): RenderableResult => ({
  jobId: '0192f0c1-2b3c-7d4e-8f50-112233445566',
  videoInfo: {
    video_id: 'dQw4w9WgXcQ',
    url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    title: 'Ice & rivers: what melts first?',
    channel: { id: 'UC123', name: 'Tom & Jerry', url: 'https://www.youtube.com/channel/UC123' },
    description: 'About ice.',
    published_at: '2024-05-06T07:08:09Z',
    duration_seconds: 3_725,
    thumbnail_url: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
    language: 'en',
    is_live_archive: false,
    chapters: [{ title: 'Start', start: 0 }],
  },
  track: { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true },
  selectionReason: 'manual_spoken_language',
  truncated: false,
  summaries: [
    { mode: 'timestamped', content: sampleContent, model: 'model-a' },
    { mode: 'tldr', content: sampleContent, model: 'model-a' },
  ],
  citedStarts: sampleStarts,
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    cached_input_tokens: 2,
    total_tokens: 15,
    cost_usd: 0.001,
    model: 'model-a',
    cached: false,
  },
  processingSeconds: 4.5,
  completedAt: new Date('2026-01-02T03:04:05.678Z'),
  attribution: { service_name: 'notes', client_reference: 'ref-1' },
  cues: inParts(buildCues(['Ice is old.', 'It melts.', 'Then it flows.'])),
  ...changes,
})

export const collect = async (pieces: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}
