import { createHash } from 'node:crypto'
import {
  RENDER_VERSION,
  type RenderableResult,
  renderCsvDocument,
  renderHtmlDocument,
  renderMarkdownData,
  renderMarkdownDocument,
  renderSrt,
  renderStructuredData,
  renderTextDocument,
  renderVtt,
} from './index.ts'
import { buildCues, buildSampleResult, collect, inParts, sampleContent } from './testing/sample-result.ts'

const RENDERERS: ((result: RenderableResult) => AsyncIterable<string>)[] = [
  renderMarkdownData,
  renderStructuredData,
  renderMarkdownDocument,
  renderTextDocument,
  renderHtmlDocument,
  renderCsvDocument,
  renderSrt,
  renderVtt,
]

const MODES = ['tldr', 'detailed', 'study_notes', 'timestamped', 'key_insights'] as const

test('what is rendered and the version that names it change together', async () => {
  const sentences = Array.from({ length: 200 }, (_, index) => `Sentence ${index} of *many* & <more>. -->`)
  const result = buildSampleResult({
    cues: inParts(buildCues(sentences)),
    summaries: MODES.map((mode) => ({ mode, content: sampleContent, model: 'model-a' })),
  })
  const hash = createHash('sha256')
  for (const render of RENDERERS) hash.update((await collect(render(result))).join(''))
  const rendered = hash.digest('hex').slice(0, 16)
  // Where this fails and the change is meant, raise the version and put the new pair here.
  expect([RENDER_VERSION, rendered]).toEqual([3, '94683e7d0470a49d'])
})
