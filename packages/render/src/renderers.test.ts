import { createHash } from 'node:crypto'
import { FORMATS, type Format } from '@subtext/contracts'
import { RENDERERS } from './renderers.ts'
import { buildCues, buildSampleResult, collect, inParts, sampleContent } from './testing/sample-result.ts'

const MODES = ['tldr', 'detailed', 'study_notes', 'timestamped', 'key_insights'] as const

/** The version of each format and a digest of what it wrote then. */
const WRITTEN: Record<Format, [version: number, digest: string]> = {
  default: [6, '639e40ba930e8944'],
  json: [5, '5e8af84a17970f19'],
  markdown: [5, 'bfc788ae38ff577c'],
  text: [5, 'ea1d59f0cb7c589f'],
  html: [6, '165322461939ddaf'],
  csv: [3, 'f8bfc968c7bd6d59'],
  srt: [3, 'bcd31a0fde157252'],
  vtt: [3, '2fa7315b396f9c28'],
  obsidian: [1, '01d8be29431c1973'],
  chunks: [1, '3486bb5290ab58ed'],
}

const formats = Object.keys(FORMATS) as Format[]

test.each(formats)('the version of %s changes with what is written, and with nothing else', async (format) => {
  const sentences = Array.from({ length: 200 }, (_, index) => `Sentence ${index} of *many* & <more>. -->`)
  const result = buildSampleResult({
    cues: inParts(buildCues(sentences)),
    summaries: MODES.map((mode) => ({ mode, content: sampleContent, model: 'model-a' })),
  })
  const { version, render } = RENDERERS[format]
  const text = (await collect(render(result))).join('')
  // If this fails and the change is intended, raise the version in `RENDERERS` and put the new pair here.
  expect([version, createHash('sha256').update(text).digest('hex').slice(0, 16)]).toEqual(WRITTEN[format])
})
