import { createHash } from 'node:crypto'
import { listPoints } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import type { ReadableFeed, StoredFeedEntry } from '@subtext/core/feeds'
import { type FinishedJob, getResult } from '@subtext/core/jobs'
import { videoUrlOf } from '@subtext/core/videos'
import { buildWatchUrl, escapeMarkup, formatClock } from '@subtext/render'
import type { ApiContext } from '../context.ts'

/** What feed readers are shown of a video. */
interface Shown {
  url: string
  title: string
  at: Date
  author: string | null
  language: string | null
  html: string
  text: string
}

export interface WrittenFeed {
  /** Of this feed in this format, as long as nothing is added. */
  etag: string
  write: () => Promise<Uint8Array>
}

interface FeedToWrite {
  feed: ReadableFeed
  entries: readonly StoredFeedEntry[]
  /** The address at which it is read. */
  url: string
  home: string
}

const VERSION = 1

function etagOf({ feed, entries }: FeedToWrite, format: string): string {
  const parts = [
    VERSION,
    format,
    titleOf(feed),
    ...entries.flatMap(({ videoId, jobId, at }) => [videoId, jobId, at.getTime()]),
  ]
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32)}"`
}

const titleOf = ({ name, sourceTitle }: ReadableFeed): string => name ?? sourceTitle ?? 'Subtext'

/** XML cannot have most control characters, not even escaped. */
const xml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
  escapeMarkup(text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, ''))

/** Writes the points of a summary, each with links to where it is said. */
function describe({ job, description }: FinishedJob): Pick<Shown, 'html' | 'text'> {
  const summary = description.summaries.find(({ mode }) => mode === 'tldr') ?? description.summaries[0]
  const place = job.videoUrl ?? job.videoId
  const points = summary ? listPoints(summary.content) : []
  const links = (segmentIds: readonly number[]): string =>
    segmentIds
      .flatMap((id) => description.citedStarts.get(id) ?? [])
      .map((startMs) => ` <a href="${escapeMarkup(buildWatchUrl(place, startMs))}">${formatClock(startMs)}</a>`)
      .join('')
  return {
    html: points
      .map(({ text, segmentIds }) => `<p>${escapeMarkup(text)}${links(segmentIds.slice(0, 3))}</p>`)
      .join('\n'),
    text: points.map(({ text }) => text).join(' '),
  }
}

async function show(ctx: Pick<ApiContext, 'db'>, feed: ReadableFeed, entry: StoredFeedEntry): Promise<Shown> {
  const url = videoUrlOf(entry)
  const base = {
    url,
    title: entry.title || entry.videoId,
    at: entry.at,
    author: null,
    language: null,
    html: '',
    text: '',
  }
  const actor: Actor = { userId: feed.userId, apiKeyId: null, plan: 'pro', scopes: [] }
  // A job that was deleted in the meantime has no summary any more.
  const finished = entry.jobId === null ? null : await getResult(ctx, actor, entry.jobId).catch(() => null)
  if (!finished) return base
  const { description } = finished
  return {
    ...base,
    author: description.videoInfo.channel?.name ?? null,
    language: description.track.language,
    ...describe(finished),
  }
}

async function showAll(ctx: Pick<ApiContext, 'db'>, { feed, entries }: FeedToWrite): Promise<Shown[]> {
  const shown: Shown[] = []
  for (const entry of entries) shown.push(await show(ctx, feed, entry))
  return shown
}

/** Writes a feed as JSON Feed 1.1. */
export const writeJsonFeed = (ctx: Pick<ApiContext, 'db'>, read: FeedToWrite): WrittenFeed => ({
  etag: etagOf(read, 'json'),
  async write() {
    const items = (await showAll(ctx, read)).map(({ url, title, at, author, language, html, text }) => ({
      id: url,
      url,
      title,
      content_html: html,
      ...(text !== '' && { summary: text }),
      date_published: at.toISOString(),
      ...(author && { authors: [{ name: author }] }),
      ...(language && { language }),
    }))
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      title: titleOf(read.feed),
      home_page_url: read.home,
      feed_url: read.url,
      items,
    }
    return Buffer.from(JSON.stringify(feed))
  },
})

const atomEntry = ({ url, title, at, author, html, text }: Shown): string => `  <entry>
    <id>${xml(url)}</id>
    <title>${xml(title)}</title>
    <link rel="alternate" href="${xml(url)}"/>
    <updated>${at.toISOString()}</updated>
    <author><name>${xml(author ?? 'Subtext')}</name></author>
    <summary>${xml(text)}</summary>
    <content type="html">${xml(html)}</content>
  </entry>`

/** Writes a feed as Atom. */
export const writeAtomFeed = (ctx: Pick<ApiContext, 'db'>, read: FeedToWrite): WrittenFeed => ({
  etag: etagOf(read, 'atom'),
  async write() {
    const shown = await showAll(ctx, read)
    const updated = shown[0]?.at ?? read.feed.createdAt
    return Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${read.feed.id}</id>
  <title>${xml(titleOf(read.feed))}</title>
  <link rel="self" type="application/atom+xml" href="${xml(read.url)}"/>
  <link rel="alternate" href="${xml(read.home)}"/>
  <updated>${updated.toISOString()}</updated>
${shown.map(atomEntry).join('\n')}
</feed>
`)
  },
})
