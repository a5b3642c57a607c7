import type { DefaultResult, Subtext, SummaryMode } from '@subtext/sdk'
import type { TimeLimit } from './time-limit.ts'

export type ResultPart = 'summaries' | 'transcript' | 'all'

const HEADINGS: Record<SummaryMode, string> = {
  tldr: 'TL;DR',
  detailed: 'Detailed summary',
  study_notes: 'Study notes',
  timestamped: 'Timeline',
  key_insights: 'Key insights',
}

/** Returns the heading of a summary. A mode that this release does not know is shown by its name. */
const headingOf = (mode: string): string => (Object.hasOwn(HEADINGS, mode) ? HEADINGS[mode as SummaryMode] : mode)

export const describeVideo = ({ video_info: { video_id, title, url, channel, duration_seconds } }: DefaultResult) => ({
  id: video_id,
  title,
  url,
  channel: channel.name,
  duration_seconds,
})

/** Moves the headings of a summary, which begin at the second level, below its own. */
export const nestHeadings = (summary: string): string => summary.replace(/^#{2,5} /gm, '#$&')

/** Returns the texts of a result as Markdown. A result without summaries has its transcript in their place. */
export function writeText({ video_info, summaries, transcript }: DefaultResult, part: ResultPart): string {
  const sections = [`# ${video_info.title}`, [video_info.channel.name, video_info.url].filter(Boolean).join(' · ')]
  if (part !== 'transcript') {
    for (const [mode, text = ''] of Object.entries(summaries)) {
      if (text.trim() !== '') sections.push(`## ${headingOf(mode)}`, nestHeadings(text))
    }
  }
  if (part !== 'summaries' || Object.keys(summaries).length === 0) {
    const origin = transcript.kind === 'auto' ? 'automatic captions' : 'written captions'
    sections.push(`## Transcript (${transcript.language}, ${origin})`, transcript.text)
  }
  return sections.join('\n\n')
}

/** Fetches the result of a completed job. Throws the job's own error if it failed. */
export const fetchResult = (subtext: Subtext, jobId: string, limit: TimeLimit): Promise<DefaultResult> =>
  limit.send((options) => subtext.videos.result(jobId, options))
