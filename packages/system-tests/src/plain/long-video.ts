import { StructuredResult, SUMMARY_MODES } from '@subtext/contracts'
import { longVideo } from '@subtext/fakes'
import { type TestSystem, useClient, watchUrl } from '@subtext/testbed'

/** On a push, a video of two hours is read; nightly, one of ten. */
export function testLongVideo(system: TestSystem, hours: number): void {
  const video = longVideo({ id: 'sbtx-longer', hours })
  const cues = video.tracks[0]?.cues() ?? []
  const client = useClient(system)
  beforeAll(() => system.platform.addVideo(video))

  test(`a video of ${hours} hours is read whole, to the last line, and has all summaries and a timeline to the end`, async () => {
    const jobId = await client.submit({ url: watchUrl(video.id), options: { summary_modes: SUMMARY_MODES } })
    expect(await client.follow(jobId)).toMatchObject({ status: 'completed' })

    const { data } = await client.get(`/videos/result/${jobId}?format=json`)
    const { transcript, summaries, video_info } = StructuredResult.parse(data)
    expect(video_info.duration_seconds).toBeGreaterThanOrEqual(hours * 3_600)
    expect(Object.keys(summaries)).toEqual([...SUMMARY_MODES])
    expect(transcript.truncated).toBe(false)
    expect(transcript.segments.length).toBeGreaterThanOrEqual(cues.length)
    const spoken = transcript.segments.map((segment) => segment.text).join(' ')
    for (const cue of [cues[0], cues[Math.floor(cues.length / 2)], cues.at(-1)]) {
      const number = cue?.text.match(/\d+/)?.[0]
      expect(number).toBeDefined()
      expect(spoken).toContain(number)
    }
    const starts = summaries.timestamped?.citations.map((citation) => citation.start) ?? []
    expect(Math.max(...starts)).toBeGreaterThan((hours - 1) * 3_600)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })

  test(`a video of ${hours} hours is cut between two lines if the request limits it, with a warning`, async () => {
    const limit = 100_000
    const jobId = await client.submit({ url: watchUrl(video.id), options: { max_transcript_length: limit } })
    expect(await client.follow(jobId)).toMatchObject({ status: 'completed' })
    const { data, meta } = await client.get(`/videos/result/${jobId}?format=json`)
    const { transcript } = StructuredResult.parse(data)
    const bytes = Buffer.byteLength(transcript.segments.map((segment) => segment.text).join(' '))
    expect(transcript.truncated).toBe(true)
    expect(bytes).toBeLessThanOrEqual(limit)
    expect(bytes).toBeGreaterThan(limit * 0.99)
    expect((meta.warnings ?? []).map(({ code }) => code)).toContain('TRANSCRIPT_TRUNCATED')
  })
}
