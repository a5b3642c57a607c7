import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Cue } from '@subtext/contracts'
import { packCues, unpackCues } from './cue-parts.ts'

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

  test('is written column by column, and read again unchanged', async () => {
    const [part] = await packCues(CUES)
    expect(JSON.parse(inflateRawSync(part?.body ?? '').toString())).toEqual({
      gaps: [1_200, 0, -100, -86_399_500],
      durations: [900, 0, 86_400_000, 1],
      texts: CUES.map(({ text }) => text),
    })
    expect(await unpackCues(part?.body ?? pack(null))).toEqual(CUES)
  })

  test('keeps the silences before words, where there are any', async () => {
    const cues: Cue[] = [
      { startMs: 0, durationMs: 900, text: 'we stop now', pauses: [[1, 400]] },
      { startMs: 900, durationMs: 900, text: 'here', pauses: [] },
      { startMs: 1_800, durationMs: 900, text: 'and here' },
    ]
    const [part] = await packCues(cues)
    expect(await unpackCues(part?.body ?? pack(null))).toEqual(cues)
  })

  test('takes less than row by row', async () => {
    const cues = Array.from({ length: 300 }, (_, nth) => ({
      startMs: nth * 2_000 + ((nth * 7_919) % 1_000),
      durationMs: 2_000 + (((nth + 1) * 7_919) % 1_000) - ((nth * 7_919) % 1_000),
      text: `line ${nth}`,
    }))
    const rows = pack(cues.map((cue) => [cue.startMs, cue.durationMs, cue.text]))
    const [part] = await packCues(cues)
    expect(part?.body.length).toBeLessThan(rows.length * 0.75)
  })
})
