import { EXTRACTIVE, SUMMARY_MODES } from '@subtext/contracts'
import { layOutExtractions } from './extractions.ts'
import { foldText } from './fold-text.ts'
import type { Labels } from './labels/labels.ts'
import { selectLabels } from './labels/select.ts'
import type { Opening } from './opening.ts'
import type { RenderableResult } from './renderable-result.ts'
import { layOutSummary } from './summary.ts'
import type { Heading, Syntax } from './syntax.ts'
import { buildWatchUrl, formatClock, placeOf } from './video-times.ts'

/** Returns the title of the video, or its ID if it has none. */
export const titleOf = ({ title, video_id }: RenderableResult['videoInfo']): string =>
  foldText(title) === '' ? video_id : title

/** Returns the language that a document addresses its reader in: that of its summaries, otherwise that of the transcript. */
export function languageOf({ summaries, track, outputLanguage }: RenderableResult): string {
  // Without a model, summaries are in the language of the transcript.
  const isTranslated = summaries.some(({ model }) => model !== EXTRACTIVE)
  return (isTranslated ? outputLanguage : null) ?? track.language
}

export const labelsOf = (result: RenderableResult): Labels => selectLabels(languageOf(result))

function layOutHead({ syntax, labels, result: { videoInfo, track } }: Opening): string[] {
  const { channel, duration_seconds, published_at } = videoInfo
  const { colon, brackets } = labels
  const fact = (label: string, value: string): string => `${label}${colon}${value}`
  const kind = `${brackets[0]}${labels.tracks[track.kind]}${brackets[1]}`
  const facts = [
    foldText(channel.name) === '' ? '' : syntax.item(fact(labels.channel, channel.name)),
    fact(labels.address, syntax.address(buildWatchUrl(placeOf(videoInfo)))),
    duration_seconds > 0 ? fact(labels.duration, syntax.figure(formatClock(duration_seconds * 1000))) : '',
    published_at === null ? '' : fact(labels.published, syntax.figure(published_at.slice(0, 'yyyy-mm-dd'.length))),
    syntax.item(fact(labels.language, `${track.language}${kind}`)),
  ]
  return [syntax.heading({ level: 1, text: titleOf(videoInfo) }), syntax.list(facts.filter((each) => each !== ''))]
}

const describeAuthor = (model: string, { writtenBy, sentences }: Labels): string =>
  model === EXTRACTIVE ? sentences : writtenBy.replace('{model}', () => model)

/** Returns the summaries with their headings, from level 2, and what wrote them. */
export function layOutSummaries({ syntax, labels, result }: Opening): string[] {
  const { citedStarts, videoInfo } = result
  const target = { place: placeOf(videoInfo), startOf: (segmentId: number) => citedStarts.get(segmentId) }
  const summaries = SUMMARY_MODES.flatMap((mode) => result.summaries.filter((summary) => summary.mode === mode))
  const [first] = summaries
  if (!first) return []
  const haveOneAuthor = summaries.every(({ model }) => model === first.model)
  const author = (model: string): string => syntax.note(describeAuthor(model, labels))
  // Headings are written in their order, which decides their anchors.
  const heading = syntax.heading({ level: 2, text: labels.summary, id: 'summary' })
  const blocks = summaries.flatMap(({ mode, model, content }) => [
    syntax.heading({ level: 3, text: labels.modes[mode], id: mode }),
    haveOneAuthor ? '' : author(model),
    layOutSummary({ syntax, target, level: 4 }, mode, content),
  ])
  return [heading, haveOneAuthor ? author(first.model) : '', ...blocks]
}

/** Returns the chapters as a list of moments with a heading. */
export function layOutChapters({ syntax, labels, result }: Opening): string[] {
  const { videoInfo } = result
  const items = videoInfo.chapters
    .filter(({ title }) => foldText(title) !== '')
    .map(({ title, start }) => syntax.moment({ place: placeOf(videoInfo), startMs: start * 1000 }, title))
  if (items.length === 0) return []
  return [syntax.heading({ level: 2, text: labels.chapters, id: 'chapters' }), syntax.list(items)]
}

/** Returns everything in a document that comes before the text of the transcript. */
export function layOutOpening(syntax: Syntax, result: RenderableResult): string {
  const labels = labelsOf(result)
  const headings: Heading[] = []
  const heading = (each: Heading): string => {
    headings.push(each)
    return syntax.heading(each)
  }
  const opening: Opening = { syntax: { ...syntax, heading }, labels, result }
  const head = layOutHead(opening)
  const contents = { level: 2, text: labels.contents }
  headings.push(contents)
  const body = [
    ...layOutSummaries(opening),
    ...layOutExtractions(opening),
    ...layOutChapters(opening),
    heading({ level: 2, text: labels.transcript, id: 'transcript' }),
  ]
  const links = body.length > 1 ? syntax.contents(headings) : ''
  return syntax.join([
    ...head,
    ...(links === '' ? [] : [syntax.heading(contents), links]),
    ...body,
    result.truncated ? syntax.paragraph(labels.truncated) : '',
  ])
}
