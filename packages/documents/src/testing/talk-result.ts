import type { SummaryContent } from '@subtext/contracts'
import type { SampleVideo } from '@subtext/fakes'
import type { RenderableResult } from '@subtext/render'
import { buildSampleResult, inParts } from '@subtext/render/testing'
import { at } from '@subtext/runtime'

export type DescribedTalk = Pick<
  SampleVideo,
  'id' | 'title' | 'author' | 'language' | 'published' | 'lengthSeconds' | 'description' | 'tracks'
>

const CHAPTER = /^(\d+):(\d\d) (.+)$/gm

/** Returns a talk as a result with two summaries, whose points are sentences of the talk. */
export function buildTalkResult(talk: DescribedTalk, changes: Partial<RenderableResult> = {}): RenderableResult {
  const { language, kind, name, cues } = at(talk.tracks, 0)
  const lines = [...cues()]
  const chapters = [...talk.description.matchAll(CHAPTER)].map(([, minutes, seconds, title = '']) => ({
    title,
    start: Number(minutes) * 60 + Number(seconds),
  }))
  const point = (...segmentIds: number[]) => ({ text: at(lines, at(segmentIds, 0) - 1).text, segmentIds })
  const content: SummaryContent = {
    overview: [point(1, 2), point(5)],
    sections: [{ heading: chapters[1]?.title ?? talk.title, points: [point(4), point(6, 8), point(10)] }],
  }
  return buildSampleResult({
    videoInfo: {
      ...buildSampleResult().videoInfo,
      video_id: talk.id,
      title: talk.title,
      channel: { id: '', name: talk.author, url: '' },
      published_at: talk.published,
      duration_seconds: talk.lengthSeconds,
      chapters,
    },
    track: { key: '', language, kind, name, isDefault: true },
    cleaning: { removed_duplicates: 12, removed_non_speech: 3, characters_before: 0, characters_after: 0 },
    summaries: (['tldr', 'detailed'] as const).map((mode) => ({ mode, content, model: 'model-a' })),
    citedStarts: new Map([1, 2, 4, 5, 6, 8, 10].map((id) => [id, at(lines, id - 1).startMs])),
    cues: inParts(lines),
    ...changes,
  })
}
