import type {
  InfographicContent,
  InfographicFigure,
  InfographicLayout,
  InfographicTheme,
  VideoInfo,
} from '@subtext/contracts'
import { buildWatchUrl, formatClock, isElsewhere, placeOf } from '@subtext/render'
import { at } from '@subtext/runtime'
import { toTypesetLanguage } from '../report/languages.ts'
import { printable } from '../report/printable.ts'
import { isShortUnit, writeDate, writeDuration, writeDurations, writeFigure } from './amounts.ts'
import { selectInfographicLabels } from './labels.ts'
import { type Colors, selectColors } from './palettes.ts'
import { keepPhrases } from './phrases.ts'

export interface Infographic {
  content: InfographicContent
  video: VideoInfo
  layout: InfographicLayout
  theme: InfographicTheme
}

const MAX_TITLE = 160
const MAX_CHANNEL = 60
const MAX_HEADLINE = 90
const MAX_BARS = 5
const MAX_BAR_UNIT = 4
const MAX_TOPICS = 4
/**
 * Number of letters that are kept together on a line: they fit even in the column of a figure and beside the number of a claim.
 */
const MAX_PHRASE = 7
const MAX_PHRASE_OF_CLAIM = 11
const FALLBACK_LANGUAGE = 'en'

const cut = (text: string, max: number): string => {
  const characters = [...printable(text)]
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : characters.join('')
}

/** Languages whose words Typst breaks at their syllables. */
const HYPHENATED = new Set(['de', 'nl', 'fi', 'sv', 'nb', 'da', 'hu'])
const LONG_WORD = /[^\s\u00ad]{15}(?=[^\s\u00ad]{8})/g
const SOFT_HYPHEN = '\u00ad'

/** Matches an address, a code or a long number, which are not words. */
const isCode = (token: string): boolean => /^[!-~]+…?$/.test(token) && /[^A-Za-z'.,;!?"-]/.test(token)
/** Longer ones may not fit into a line. */
const MAX_CODE = 24
const MARK = /[<>{}()[\]/\\=&#@_:.]/g
const LONG_RUN = /[!-~]{12}(?=[!-~]{4})/g
export const BREAK = '\u200b'

/** Allows addresses, codes and numbers to be broken where they would not fit. */
const breakCode = (text: string): string =>
  text
    .split(' ')
    .map((broken) => {
      const token = broken.replaceAll(BREAK, '')
      if (token.length <= MAX_CODE || !isCode(token)) return broken
      return token.replace(MARK, (mark) => mark + BREAK).replace(LONG_RUN, (run) => run + BREAK)
    })
    .join(' ')

/** Allows words of other languages to be broken where they would not fit. Scripts without spaces break anywhere. */
const breakLongWords = (text: string, language: string): string =>
  HYPHENATED.has(language)
    ? text
    : text.replace(LONG_WORD, (part) => (/^[\p{sc=Latin}\p{sc=Cyrillic}]+$/u.test(part) ? part + SOFT_HYPHEN : part))

const VISIBLE = /[\p{L}\p{N}]/u

const chooseHeadline = (texts: string[]): string =>
  breakCode(cut(texts.find((text) => VISIBLE.test(text)) ?? '', MAX_HEADLINE))

/** Returns the link of a recording; that of a video is short enough for a small QR code. */
export const shortLinkOf = (video: VideoInfo): string =>
  isElsewhere(video)
    ? buildWatchUrl(placeOf(video))
    : `https://youtu.be/${encodeURIComponent(video.video_id.toWellFormed())}`

/** Returns the data of the template `infographic`. */
export function buildInfographicData({ content, video, layout, theme }: Infographic) {
  const language = toTypesetLanguage(content.language)
  const tag = language.tag === 'und' ? FALLBACK_LANGUAGE : language.tag
  const labels = selectInfographicLabels(tag)
  const colors: Colors = selectColors(video.video_id, theme)
  const show = (text: string, maxPhrase = MAX_PHRASE): string =>
    keepPhrases(breakLongWords(breakCode(printable(text)), language.lang), language.lang, maxPhrase)
  const seconds = (ms: number): number => ms / 1_000
  const address = shortLinkOf(video).replace('https://', '')
  return {
    layout,
    theme,
    language: { ...language, script: new Intl.Locale(tag).maximize().script ?? null },
    colors,
    channel: cut(video.channel.name, MAX_CHANNEL),
    duration: writeDuration(content.durationMs, tag),
    title: breakLongWords(breakCode(cut(video.title, MAX_TITLE)), language.lang),
    /** Otherwise the headline is the title. */
    hasHeadline: VISIBLE.test(content.headline ?? ''),
    headline: keepPhrases(chooseHeadline([content.headline ?? '', video.title, address]), language.lang, MAX_PHRASE),
    claims: content.claims.map(({ text }, index) => {
      const momentMs = content.momentsMs[index] ?? 0
      return { text: show(text, MAX_PHRASE_OF_CLAIM), time: formatClock(momentMs), moment: seconds(momentMs) }
    }),
    figures: content.isChart ? [] : content.figures.map((figure) => describeFigure(figure, tag, show)),
    chart: content.isChart ? describeChart(content.figures, tag, show) : null,
    topics: listTopics(content, tag, show),
    timeline: {
      total: seconds(content.durationMs),
      density: content.density,
      parts: content.parts.map(({ title, startMs }) => ({ title: printable(title), start: seconds(startMs) })),
    },
    date: writeDate(video.published_at, tag),
    address,
    labels: { time: labels.time, note: content.model === 'extractive' ? labels.sentences : labels.checked },
  }
}

type Show = (text: string) => string

/** A long unit is written below its number, unless the label names it. */
function describeFigure({ value, unit, label }: InfographicFigure, tag: string, show: Show) {
  const name = printable(unit)
  const shown = show(label)
  if (isShortUnit(name)) return { value: writeFigure(printable(value), name, tag), unit: '', label: shown }
  const isNamed = shown.toLowerCase().includes(name.toLowerCase())
  return { value: writeFigure(printable(value), '', tag), unit: isNamed ? '' : show(name), label: shown }
}

/** Bars have their unit beside each value, or above all of them if it is a word. */
function describeChart(figures: InfographicFigure[], tag: string, show: Show) {
  const unit = printable(figures[0]?.unit ?? '')
  const isBeside = unit.length <= MAX_BAR_UNIT
  return {
    title: isBeside ? '' : unit,
    bars: figures.slice(0, MAX_BARS).map(({ value, label, amount }) => ({
      value: writeFigure(printable(value), isBeside ? unit : '', tag),
      label: show(label),
      amount,
    })),
  }
}

/** With many short parts, the longest ones say nothing about the video. */
const MIN_TOPICS_SHARE = 0.4

/** Returns the parts that take the most time, if they make up much of the video. */
function listTopics({ parts, durationMs }: InfographicContent, tag: string, show: Show) {
  const topics = parts.map(({ title, startMs }, index) => {
    const amount = (parts[index + 1]?.startMs ?? durationMs) - startMs
    return { label: show(cut(title, MAX_CHANNEL)), amount }
  })
  const longest = topics.toSorted((a, b) => b.amount - a.amount).slice(0, MAX_TOPICS)
  const shown = longest.reduce((sum, { amount }) => sum + amount, 0)
  if (shown < durationMs * MIN_TOPICS_SHARE) return []
  const values = writeDurations(
    longest.map(({ amount }) => amount),
    tag,
  )
  return longest.map((topic, index) => ({ ...topic, value: at(values, index) }))
}
