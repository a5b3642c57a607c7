import type { VideoInfo } from '@subtext/contracts'
import { BREAK, buildInfographicData, type Infographic } from './infographic-data.ts'
import { selectInfographicLabels } from './labels.ts'

const MAX_LENGTH = 1_500

/** Returns the text alternative of an infographic: everything that it says, in words. */
export function describeInfographic(content: Infographic['content'], video: VideoInfo): string {
  const data = buildInfographicData({ content, video, layout: 'card', theme: 'light' })
  const about = selectInfographicLabels(data.language.tag === 'und' ? 'en' : data.language.tag).about
  const figures = data.chart
    ? [
        `${[data.chart.title, data.chart.bars.map(({ label, value }) => `${label} ${value}`).join(', ')].filter((part) => part !== '').join(': ')}.`,
      ]
    : data.figures.map(({ value, unit, label }) => `${[value, unit, label].filter((part) => part !== '').join(' ')}.`)
  const topics =
    figures.length === 0 && data.topics.length > 1
      ? [`${data.labels.time}: ${data.topics.map(({ label, value }) => `${label} ${value}`).join(', ')}.`]
      : []
  const parts = [
    // A function, because a title may contain replacement patterns such as `$&`.
    about.replace(/\{(title|channel)\}/g, (_, name) => (name === 'title' ? data.title : data.channel)),
    ...(content.headline === null ? [] : [`${data.headline}.`]),
    ...figures,
    ...topics,
    ...data.claims.map(({ text, time }, index) => `${index + 1}. ${text} (${time})`),
  ]
  // Places where a line may break mean nothing to a listener.
  return parts.join(' ').replaceAll(BREAK, '').slice(0, MAX_LENGTH).toWellFormed()
}
