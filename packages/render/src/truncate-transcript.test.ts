import type { Cue } from '@subtext/contracts'
import { truncateTranscript } from './truncate-transcript.ts'

const cues = (...texts: string[]): Cue[] =>
  texts.map((text, index) => ({ startMs: index * 1_000, durationMs: 900, text }))

const truncate = (all: Cue[], maxBytes: number) => truncateTranscript(all, maxBytes, async () => {})

describe('truncateTranscript', () => {
  test('keeps everything that fits', async () => {
    const all = cues('one', 'two')
    expect(await truncate(all, 7)).toBe(all)
  })

  test('cuts between two cues and counts bytes of UTF-8', async () => {
    expect(await truncate(cues('one', 'two', 'three'), 8)).toHaveLength(2)
    expect(await truncate(cues('日本', '語'), 9)).toHaveLength(1)
    expect(await truncate(cues('日本', '語'), 10)).toHaveLength(2)
  })

  test('counts the characters that paragraphs and Markdown add', async () => {
    const spoken = cues('one', '>> two', '>> three')
    expect(await truncate(spoken, 'one\n\n\\>> two'.length)).toHaveLength(2)
    expect(await truncate(spoken, 'one\n\n\\>> two'.length - 1)).toHaveLength(1)
    const marked = cues('[one]', '[two]', '[three]')
    expect(await truncate(marked, '\\[one\\] \\[two\\]'.length)).toHaveLength(2)
    expect(await truncate(marked, '\\[one\\] \\[two\\]'.length - 1)).toHaveLength(1)
  })

  test('always keeps the first cue', async () => {
    expect(await truncate(cues('a long first cue'), 3)).toHaveLength(1)
  })
})
