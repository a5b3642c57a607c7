import { deflateRawSync } from 'node:zlib'
import type { Cue } from '@subtext/contracts'
import { unpackCues } from './cue-parts.ts'

const pack = (content: unknown): Buffer => deflateRawSync(JSON.stringify(content))

const CUES: Cue[] = [
  { startMs: 1_200, durationMs: 900, text: 'one' },
  { startMs: 2_100, durationMs: 0, text: '' },
  { startMs: 2_000, durationMs: 86_400_000, text: 'zwei "drei"' },
  { startMs: 2_500, durationMs: 1, text: 'overlapping' },
]

describe('a part of a transcript', () => {
  test('is read if it is stored row by row', async () => {
    expect(await unpackCues(pack(CUES.map((cue) => [cue.startMs, cue.durationMs, cue.text])))).toEqual(CUES)
  })

  test('is read if it is stored column by column', async () => {
    const columns = {
      gaps: [1_200, 0, -100, -86_399_500],
      durations: [900, 0, 86_400_000, 1],
      texts: CUES.map(({ text }) => text),
    }
    expect(await unpackCues(pack(columns))).toEqual(CUES)
  })
})
