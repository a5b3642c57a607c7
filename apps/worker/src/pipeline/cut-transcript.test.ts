import type { Cue } from '@subtext/contracts'
import { cutTranscript } from './cut-transcript.ts'

const cues = (...texts: string[]): Cue[] =>
  texts.map((text, index) => ({ startMs: index * 1_000, durationMs: 900, text }))

describe('cutTranscript', () => {
  test('keeps everything that fits', () => {
    const all = cues('one', 'two')
    expect(cutTranscript(all, 7)).toBe(all)
  })

  test('cuts between two cues, counting bytes of UTF-8', () => {
    expect(cutTranscript(cues('one', 'two', 'three'), 8)).toHaveLength(2)
    expect(cutTranscript(cues('日本', '語'), 9)).toHaveLength(1)
    expect(cutTranscript(cues('日本', '語'), 10)).toHaveLength(2)
  })

  test('never leaves nothing', () => {
    expect(cutTranscript(cues('a long first cue'), 3)).toHaveLength(1)
  })
})
