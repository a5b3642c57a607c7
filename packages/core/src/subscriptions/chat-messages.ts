import type { SubscriptionFormat } from '@subtext/contracts'
import { videoUrlOf } from '../videos/video-url.ts'
import type { EndedItem } from './ended-item.ts'

/** Discord takes 2,000 characters; Slack advises 4,000. */
const MAX_CHARS = { slack: 4_000, discord: 2_000 }
const MAX_MATCHES = 5

type ChatFormat = keyof typeof MAX_CHARS

/** Encodes what would end a link. Feeds of podcasts choose their addresses. */
const encodeEnd = (url: string): string => url.replace(/[<>|\s]/g, (char) => encodeURIComponent(char))

/** How a service writes what it is sent. Text of others must not become markup, mentions or links. */
const SYNTAX = {
  slack: {
    protect: (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    link: (text: string, url: string) => `<${encodeEnd(url).replaceAll('&', '&amp;')}|${text.replaceAll('|', '¦')}>`,
    strong: (text: string) => `*${text}*`,
    body: (text: string): object => ({ text }),
  },
  discord: {
    protect: (text: string) => text.replace(/[\\`*_~|>#[\]()<@-]/g, '\\$&'),
    link: (text: string, url: string) => `[${text}](<${encodeEnd(url)}>)`,
    strong: (text: string) => `**${text}**`,
    body: (text: string): object => ({ content: text, allowed_mentions: { parse: [] } }),
  },
} as const satisfies Record<ChatFormat, object>

const HEADINGS: Record<EndedItem['state'], string> = {
  processed: 'New video',
  notified: 'New video',
  skipped: 'Skipped',
  failed: 'Failed',
  waiting: 'Waiting',
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

const asFormat = (format: SubscriptionFormat): ChatFormat => (format === 'discord' ? 'discord' : 'slack')

/** Writes lines, as many as fit: a link that is cut would lead elsewhere. */
function write(format: SubscriptionFormat, lines: readonly string[]): string {
  const kind = asFormat(format)
  const kept: string[] = []
  let left = MAX_CHARS[kind]
  for (const line of lines) {
    left -= line.length + 1
    if (left < 0) break
    kept.push(line)
  }
  return JSON.stringify(SYNTAX[kind].body(kept.join('\n')))
}

/** Returns the body about an item that incoming webhooks of Slack or Discord take. */
export function writeChatMessage(format: SubscriptionFormat, item: EndedItem): string {
  const { protect, link, strong } = SYNTAX[asFormat(format)]
  const { videoId, title, state, reason, summary, matches } = item
  const heading = matches && matches.length > 0 ? 'Mentioned' : HEADINGS[state]
  const why = reason === null ? '' : ` (${protect(reason.replaceAll('_', ' '))})`
  const name = protect(cut(oneLine(title), 200)) || videoId
  return write(format, [
    `${strong(heading)}: ${link(name, videoUrlOf(item))}${why}`,
    ...(summary ? [protect(cut(oneLine(summary), 1_000))] : []),
    ...(matches ?? []).slice(0, MAX_MATCHES).map(({ url, text }) => `• ${link(protect(cut(oneLine(text), 150)), url)}`),
  ])
}

const HOLDS = {
  quota: 'New videos wait: the quota of your plan is used up.',
  spend: 'New videos wait: your spending limit is reached.',
  plan: 'The subscription is paused: your plan no longer includes subscriptions.',
}
export type HoldReason = keyof typeof HOLDS

/** Returns the body about a subscription that is held. */
export const writeHoldMessage = (format: SubscriptionFormat, reason: HoldReason): string =>
  write(format, [SYNTAX[asFormat(format)].protect(HOLDS[reason])])
