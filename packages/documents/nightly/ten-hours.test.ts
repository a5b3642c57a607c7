import { SAMPLE_TALKS } from '@subtext/fakes'
import { inParts } from '@subtext/render/testing'
import { at } from '@subtext/runtime'
import { createRenderer, renderReport } from '../src/index.ts'
import { buildTalkResult } from '../src/testing/talk-result.ts'

const TEN_HOURS_MS = 36_000_000
const MEMORY_MB = 250

test.each(['english', 'japanese', 'hindi'] as const)(
  'the PDF of ten hours in the language of the %s talk takes at most 250 MB',
  async (name) => {
    const talk = SAMPLE_TALKS[name]
    const lines = [...at(talk.tracks, 0).cues()]
    const lengthMs = talk.lengthSeconds * 1_000
    const cues = Array.from({ length: Math.floor(TEN_HOURS_MS / lengthMs) }, (_, round) =>
      lines.map((line) => ({ ...line, startMs: line.startMs + round * lengthMs })),
    ).flat()
    const short = buildTalkResult(talk)
    const result = {
      ...short,
      videoInfo: { ...short.videoInfo, duration_seconds: TEN_HOURS_MS / 1_000 },
      cues: inParts(cues, 1_000),
    }
    // A process with more ends with a failure.
    const renderer = createRenderer({ memoryBytes: MEMORY_MB * 1024 ** 2, cpuMs: 600_000 })
    try {
      const { pages, bytes } = await renderReport(renderer, { result, paper: 'a4', transcript: true })
      expect(pages).toBeGreaterThan(50)
      expect(bytes.length).toBeGreaterThan(500_000)
    } finally {
      renderer.close()
    }
  },
)
