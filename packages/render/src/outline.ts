import { SUMMARY_MODES, type SummaryMode, type TrackKind } from '@subtext/contracts'
import { foldText } from './fold-text.ts'
import type { RenderableResult } from './renderable-result.ts'
import { layOutSummary } from './summary.ts'
import type { Syntax } from './syntax.ts'
import { buildWatchUrl, formatClock } from './video-times.ts'

const MODE_HEADINGS: Record<SummaryMode, string> = {
  tldr: 'TL;DR',
  detailed: 'Detailed summary',
  study_notes: 'Study notes',
  timestamped: 'Timeline',
  key_insights: 'Key insights',
}

const KIND_NOTES: Record<TrackKind, string> = { manual: 'written captions', auto: 'automatic captions' }

const TRUNCATION_NOTE = 'Note: the transcript was cut at the maximum length and ends before the video does.'

/** Returns the title of the video, or its ID if it has none. */
export const titleOf = ({ title, video_id }: RenderableResult['videoInfo']): string =>
  foldText(title) === '' ? video_id : title

const layOutHead = (syntax: Syntax, { videoInfo, track }: RenderableResult): string[] => {
  const { video_id, channel, duration_seconds, published_at } = videoInfo
  const facts = [
    foldText(channel.name) === '' ? '' : syntax.item(`Channel: ${channel.name}`),
    `URL: ${syntax.address(buildWatchUrl(video_id))}`,
    duration_seconds > 0 ? `Duration: ${formatClock(duration_seconds * 1000)}` : '',
    published_at === null ? '' : syntax.item(`Published: ${published_at.slice(0, 'yyyy-mm-dd'.length)}`),
    syntax.item(`Language: ${track.language} (${KIND_NOTES[track.kind]})`),
  ]
  return [syntax.heading(1, titleOf(videoInfo)), syntax.list(facts.filter((fact) => fact !== ''))]
}

const layOutSummaries = (syntax: Syntax, { summaries, citedStarts, videoInfo }: RenderableResult): string[] => {
  const target = { videoId: videoInfo.video_id, startOf: (segmentId: number) => citedStarts.get(segmentId) }
  const blocks = SUMMARY_MODES.flatMap((mode) =>
    summaries
      .filter((summary) => summary.mode === mode)
      .flatMap(({ content }) => [
        syntax.heading(3, MODE_HEADINGS[mode]),
        layOutSummary({ syntax, target, level: 4 }, mode, content),
      ]),
  )
  return blocks.length > 0 ? [syntax.heading(2, 'Summary'), ...blocks] : []
}

const layOutChapters = (syntax: Syntax, { chapters, video_id }: RenderableResult['videoInfo']): string[] => {
  const items = chapters
    .filter(({ title }) => foldText(title) !== '')
    .map(({ title, start }) => syntax.moment(video_id, start * 1000, title))
  return items.length > 0 ? [syntax.heading(2, 'Chapters'), syntax.list(items)] : []
}

/** Returns everything in a document that comes before the text of the transcript. */
export const layOutOpening = (syntax: Syntax, result: RenderableResult): string =>
  syntax.join([
    ...layOutHead(syntax, result),
    ...layOutSummaries(syntax, result),
    ...layOutChapters(syntax, result.videoInfo),
    syntax.heading(2, 'Transcript'),
    result.truncated ? syntax.paragraph(TRUNCATION_NOTE) : '',
  ])
