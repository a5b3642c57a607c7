import { buildOpenApi, DefaultResult, DOCUMENTS, FORMATS, StructuredResult, videos } from '@subtext/contracts'
import type { RenderableResult } from './renderable-result.ts'
import { RENDERERS } from './renderers.ts'
import { buildSampleResult, collect, inParts } from './testing/sample-result.ts'

interface Published {
  paths: Record<
    string,
    {
      get: {
        responses: {
          200: { content: Record<string, { examples: Record<'default' | 'json', { value: { data: unknown } }> }> }
        }
      }
    }
  >
}

const { paths } = buildOpenApi([videos.result], 'https://api.example.org') as unknown as Published
const { examples } = paths['/videos/result/{job_id}']?.get.responses[200].content['application/json'] ?? {}
const published = StructuredResult.parse(examples?.json.value.data)

/** The result that the examples of the OpenAPI document show. */
function buildExampleResult(): RenderableResult {
  const { transcript, summaries, video_info } = published
  const cues = transcript.segments.map(({ start, duration, text }) => ({
    startMs: start * 1_000,
    durationMs: duration * 1_000,
    text,
  }))
  const { text = '', citations = [], model = '' } = summaries.tldr ?? {}
  const segmentIds = citations.map(({ segment_id }) => segment_id)
  return buildSampleResult({
    jobId: published.job_id,
    videoInfo: video_info,
    cues: inParts(cues),
    citedStarts: new Map(citations.map(({ segment_id, start }) => [segment_id, start * 1_000])),
    summaries: [{ mode: 'tldr', model, content: { overview: [{ text, segmentIds }], sections: [] } }],
  })
}

test('the published example of the default format has the texts that its renderer writes', async () => {
  const example = DefaultResult.parse(examples?.default.value.data)
  const data = DefaultResult.parse(JSON.parse((await collect(RENDERERS.default.render(buildExampleResult()))).join('')))
  expect(data.transcript.text).toBe(example.transcript.text)
  expect(data.summaries).toEqual(example.summaries)
})

const ELLIPSIS = '...\n'

test('every document format has an example', () => {
  expect(DOCUMENTS.every(({ example }) => example.length > 0)).toBe(true)
})

test.each(Object.entries(FORMATS).filter(([, { enveloped }]) => !enveloped))(
  'the published example of %s is what its renderer writes',
  async (format, definition) => {
    const { render } = RENDERERS[format as keyof typeof RENDERERS]
    const text = (await collect(render(buildExampleResult()))).join('')
    const [beginning = '', end = ''] = ('example' in definition ? definition.example : '').split(ELLIPSIS)
    expect(text.slice(0, beginning.length)).toBe(beginning)
    expect(text.slice(text.length - end.length)).toBe(end)
    if (end === '') expect(text).toBe(beginning)
  },
)
