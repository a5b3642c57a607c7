import type { SummaryMode } from '@subtext/contracts'
import {
  buildWatchUrl,
  createParagraphs,
  formatClock,
  inBatches,
  labelsOf,
  languageOf,
  layOutChapters,
  layOutExtractions,
  layOutSummaries,
  type Paragraph,
  placeOf,
  type RenderableResult,
  streamArray,
  titleOf,
  writeJson,
} from '@subtext/render'
import { directionOf, nameLanguage, toTypesetLanguage } from './languages.ts'
import { printable, printableLine, splitAtLongWords } from './printable.ts'
import { createReportSyntax, createTexts, type ReportText } from './report-syntax.ts'

export interface ReportOptions {
  paper: 'a4' | 'letter'
  transcript: boolean
  /** Only these summaries. Default: all. */
  modes?: readonly SummaryMode[]
}

export interface ReportData extends ReportOptions {
  result: RenderableResult
  /** Name of the file with the picture of the video, if there is one. */
  picture?: string
}

interface Fact {
  label: string
  value: ReportText
  url?: string
}

const DATE_CHARS = 'yyyy-mm-dd'.length

/** Yields what the template `report` shows, as JSON in pieces. The transcript is read while it is written. */
export async function* writeReportData({ result: whole, picture, ...options }: ReportData): AsyncGenerator<string> {
  const { modes, transcript, paper } = options
  const result = modes ? { ...whole, summaries: whole.summaries.filter(({ mode }) => modes.includes(mode)) } : whole
  const language = toTypesetLanguage(languageOf(result))
  const { videoInfo, completedAt, citedStarts } = result
  const labels = labelsOf(result)
  const toText = createTexts(language.dir)
  const head = {
    paper,
    language,
    speech: toTypesetLanguage(result.track.language),
    title: toText(titleOf(videoInfo)),
    channel: toText(videoInfo.channel.name),
    url: buildWatchUrl(placeOf(videoInfo)),
    duration: videoInfo.duration_seconds > 0 ? formatClock(videoInfo.duration_seconds * 1_000) : null,
    picture: picture ?? null,
    completed: dateParts(completedAt),
    facts: listFacts(result),
    labels: { contents: labels.contents, video: labels.video, transcript: labels.transcript, colon: labels.colon },
    truncated: result.truncated ? labels.truncated : null,
  }
  const syntax = createReportSyntax({
    direction: language.dir,
    hasLine: (segmentId) => transcript && citedStarts.has(segmentId),
  })
  const opening = { syntax, labels, result }
  const blocks = [
    ...layOutSummaries(opening),
    ...layOutExtractions(opening),
    ...(transcript ? [] : layOutChapters(opening)),
  ]
  yield* writeJson({
    ...head,
    blocks: JSON.parse(syntax.join(blocks)),
    transcript: transcript ? streamArray(layOutTranscript(result)) : null,
  })
}

export const dateParts = (date: Date): number[] => [
  date.getUTCFullYear(),
  date.getUTCMonth() + 1,
  date.getUTCDate(),
  date.getUTCHours(),
  date.getUTCMinutes(),
  date.getUTCSeconds(),
]

function listFacts(result: RenderableResult): Fact[] {
  const { videoInfo, track, cleaning, completedAt } = result
  const { published_at, duration_seconds } = videoInfo
  const labels = labelsOf(result)
  const tag = languageOf(result)
  const toText = createTexts(toTypesetLanguage(tag).dir)
  const url = buildWatchUrl(placeOf(videoInfo))
  const kind = `${labels.brackets[0]}${labels.tracks[track.kind]}${labels.brackets[1]}`
  const facts: (Fact | null)[] = [
    duration_seconds > 0 ? { label: labels.duration, value: formatClock(duration_seconds * 1_000) } : null,
    published_at === null ? null : { label: labels.published, value: printable(published_at.slice(0, DATE_CHARS)) },
    { label: labels.captions, value: toText(`${nameLanguage(track.language, tag)}${kind}`) },
    cleaning && cleaning.removed_duplicates + cleaning.removed_non_speech > 0
      ? { label: labels.removed, value: describeCleaning(cleaning, labels) }
      : null,
    { label: labels.created, value: completedAt.toISOString().slice(0, DATE_CHARS) },
    { label: labels.address, value: url.replace('https://www.', ''), url },
  ]
  return facts.filter((fact) => fact !== null)
}

const describeCleaning = (
  { removed_duplicates, removed_non_speech }: NonNullable<RenderableResult['cleaning']>,
  { repetitions, sounds }: ReturnType<typeof labelsOf>,
): string =>
  [
    removed_duplicates > 0 ? repetitions.replace('{count}', String(removed_duplicates)) : '',
    removed_non_speech > 0 ? sounds.replace('{count}', String(removed_non_speech)) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')

/** A part of a paragraph: text, a word that may be wider than a line, or the number of the cited segment that begins here. */
type Run = string | { word: string } | number

function toRuns({ text, segments }: Paragraph, isCited: (segmentId: number) => boolean): Run[] {
  const runs: Run[] = []
  const add = (part: string): void => {
    for (const [index, piece] of splitAtLongWords(printableLine(part)).entries()) {
      if (piece !== '') runs.push(index % 2 === 0 ? piece : { word: piece })
    }
  }
  let written = 0
  for (const { id, at } of segments.filter(({ id }) => isCited(id))) {
    add(text.slice(written, at))
    runs.push(id)
    written = at
  }
  add(text.slice(written))
  return runs
}

/** Yields the transcript as chapters and paragraphs, each paragraph with its time. */
async function* layOutTranscript({ cues, videoInfo, citedStarts, track }: RenderableResult): AsyncGenerator<object[]> {
  const direction = toTypesetLanguage(track.language).dir
  // Where it differs from the rest of the transcript.
  const withDirection = (text: string) => {
    const dir = directionOf(text)
    return dir !== null && dir !== direction && { dir }
  }
  const upcoming = videoInfo.chapters
    .map(({ title, start }) => ({ chapter: printable(title), startMs: start * 1_000 }))
    .filter(({ chapter }) => chapter !== '')
    .sort((a, b) => a.startMs - b.startMs)
  const paragraphs = createParagraphs(upcoming.map(({ startMs }) => startMs))
  const layOut = (paragraph: Paragraph): object[] => {
    const started = upcoming.filter(({ startMs }) => startMs <= paragraph.startMs)
    upcoming.splice(0, started.length)
    const url = buildWatchUrl(placeOf(videoInfo), paragraph.startMs)
    const runs = toRuns(paragraph, (segmentId) => citedStarts.has(segmentId))
    return [
      ...started.map(({ chapter, startMs }) => ({
        chapter,
        time: formatClock(startMs),
        url: buildWatchUrl(placeOf(videoInfo), startMs),
        ...withDirection(chapter),
      })),
      { time: formatClock(paragraph.startMs), url, ...withDirection(paragraph.text), runs },
    ]
  }
  for await (const batch of inBatches(cues())) yield paragraphs.add(batch).flatMap(layOut)
  yield paragraphs.end().flatMap(layOut)
}
