import { listReportedCases, readReportedJson } from '@subtext/captions/testing'
import { StructuredResult } from '@subtext/contracts'
import { SAMPLE_VIDEOS, type SampleVideo } from '@subtext/fakes'
import { useClient, watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const system = usePlainSystem()
const client = useClient(system)

interface Expected {
  /** Seconds. */
  last_start?: number
  /** Seconds. */
  chapters?: number[]
  /** What documents contain, by format. */
  in?: Record<string, string[]>
}

/** What the platform replies about the video and its only track. */
interface Replies {
  player: object
  captions: Record<'.en', object>
}

const buildVideo = ({ player, captions }: Replies): SampleVideo => ({
  ...SAMPLE_VIDEOS.noCaptions,
  id: 'abcdefghijk',
  play: () => ({ as: 'http', status: 200, contentType: 'application/json', body: JSON.stringify(player) }),
  tracks: [{ language: 'en', kind: 'manual', name: 'English', cues: () => [], body: JSON.stringify(captions['.en']) }],
})

test.each(listReportedCases<Expected>('service'))(
  'the whole service processes the reported video %s',
  async (_, one) => {
    const { last_start, chapters, in: contained = {} } = one.expected
    system.platform.reset()
    system.platform.addVideo(buildVideo(readReportedJson(one)))
    const jobId = await client.submit({ url: watchUrl('abcdefghijk'), force_refresh: true })
    expect(await client.follow(jobId)).toMatchObject({ status: 'completed' })
    const { data } = await client.get(`/videos/result/${jobId}?format=json`)
    const { transcript, video_info } = StructuredResult.parse(data)
    expect(transcript.segments.at(-1)?.start).toBe(last_start ?? transcript.segments.at(-1)?.start)
    const starts = video_info.chapters.map(({ start }) => start)
    expect(starts).toEqual(chapters ?? starts)
    const shown = JSON.stringify(data)
    expect(JSON.parse(shown)).toEqual(data)
    expect(shown).not.toMatch(/\\ud[89a-f][0-9a-f]{2}|\\u0000/)
    for (const [format, parts] of Object.entries(contained)) {
      const document = await (await client.fetch(`/videos/result/${jobId}?format=${format}`)).text()
      for (const part of parts) expect(document).toContain(part)
    }
  },
)
