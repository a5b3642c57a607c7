import { fetchSample } from './fetch-sample.ts'
import { SAMPLES } from './samples.ts'

const send = (path: string, body?: object, signal = new AbortController().signal) =>
  fetchSample(new URL(path, 'https://www.youtube.com'), {
    method: body ? 'POST' : 'GET',
    headers: [['x-goog-visitor-id', 'visitor']],
    body: body && JSON.stringify(body),
    signal,
  })

const play = (videoId: string) =>
  send('/youtubei/v1/player', { videoId, context: { client: { clientName: 'ANDROID' } } }).then(
    (response) => response.json() as Promise<{ playabilityStatus?: { status: string } }>,
  )

describe('fetchSample', () => {
  test('answers requests about a sample video in the form of the platform, each visitor with an identity of its own', async () => {
    expect(await play('sbtx-en-map')).toMatchObject({
      playabilityStatus: { status: 'OK' },
      videoDetails: { videoId: 'sbtx-en-map', title: 'The Woman Who Drew the Ocean Floor' },
    })
    const [one, other] = [await send('/sw.js_data'), await send('/sw.js_data')]
    expect(await one.text()).not.toBe(await other.text())
  })

  test('knows no other video, no other path and no malformed request', async () => {
    expect((await play('dQw4w9WgXcQ')).playabilityStatus?.status).toBe('ERROR')
    expect((await send('/watch?v=sbtx-en-map')).status).toBe(404)
    expect((await send('/youtubei/v1/player', { videoId: 'sbtx-en-map' })).status).toBe(400)
  })

  test('replies about a video alike however often it is asked', async () => {
    for (const { id } of SAMPLES.filter(({ error }) => error?.code !== 'UPSTREAM_UNAVAILABLE')) {
      const [first, second] = [await play(id), await play(id)]
      expect([id, first.playabilityStatus]).toEqual([id, second.playabilityStatus])
    }
  })

  test('sends nothing once it has been aborted', async () => {
    await expect(send('/sw.js_data', undefined, AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
  })
})
