import type { Cue } from '@subtext/contracts'
import { cutTranscript } from './cut-transcript.ts'

const cues = (...texts: string[]): Cue[] =>
  texts.map((text, index) => ({ startMs: index * 1_000, durationMs: 900, text }))

const cut = (all: Cue[], maxBytes: number) => cutTranscript(all, maxBytes, async () => {})

describe('cutTranscript', () => {
  test('keeps everything that fits', async () => {
    const all = cues('one', 'two')
    expect(await cut(all, 7)).toBe(all)
  })

  test('cuts between two cues, counting bytes of UTF-8', async () => {
    expect(await cut(cues('one', 'two', 'three'), 8)).toHaveLength(2)
    expect(await cut(cues('日本', '語'), 9)).toHaveLength(1)
    expect(await cut(cues('日本', '語'), 10)).toHaveLength(2)
  })

  test('counts what paragraphs and Markdown add to the text', async () => {
    const spoken = cues('one', '>> two', '>> three')
    expect(await cut(spoken, 'one\n\n\\>> two'.length)).toHaveLength(2)
    expect(await cut(spoken, 'one\n\n\\>> two'.length - 1)).toHaveLength(1)
    const marked = cues('[one]', '[two]', '[three]')
    expect(await cut(marked, '\\[one\\] \\[two\\]'.length)).toHaveLength(2)
    expect(await cut(marked, '\\[one\\] \\[two\\]'.length - 1)).toHaveLength(1)
  })

  test('never leaves nothing', async () => {
    expect(await cut(cues('a long first cue'), 3)).toHaveLength(1)
  })
})
