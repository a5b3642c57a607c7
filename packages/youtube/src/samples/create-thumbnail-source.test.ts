import { SAMPLE_TALKS } from '@subtext/sample-platform'
import { createThumbnailSource } from './create-thumbnail-source.ts'

const UNREACHABLE = 'http://127.0.0.1:1'

test('draws the thumbnails of sample videos within the process, unless there are no samples', async () => {
  const { id } = SAMPLE_TALKS.english
  const { signal } = new AbortController()
  const picture = await createThumbnailSource({ origin: UNREACHABLE, hasSamples: true })(id, signal)
  expect(Buffer.from(picture?.subarray(1, 4) ?? []).toString()).toBe('PNG')
  expect(await createThumbnailSource({ origin: UNREACHABLE, hasSamples: false })(id, signal)).toBeNull()
})
