import { decodeEntities, scanMarkup } from '@subtext/captions'
import { cleanTitle } from './listing.ts'

/** A video in the feed of a channel. */
export interface FeedEntry {
  videoId: string
  title: string
  /** ISO 8601. The platform states it to the second. */
  publishedAt: string
  /** The page it is linked to. */
  url: string | null
  isShort: boolean
}

/** The feed of a channel: its newest videos, at most fifteen. */
export interface ChannelFeed {
  /** With the `UC` that the platform leaves out in the head of the feed. */
  channelId: string | null
  title: string | null
  entries: FeedEntry[]
}

const HREF = /\bhref\s*=\s*["']([^"']{1,2000})["']/

/** Returns a channel ID that may lack the `UC` at its start. */
const toChannelId = (text: string): string | null => {
  const [, rest] = /^(?:UC)?([A-Za-z0-9_-]{22})$/.exec(text.trim()) ?? []
  return rest === undefined ? null : `UC${rest}`
}

interface Draft {
  texts: Map<string, string>
  url: string | null
}

function toEntry({ texts, url }: Draft): FeedEntry | null {
  const videoId = texts.get('yt:videoId') ?? texts.get('id')?.replace(/^yt:video:/, '') ?? ''
  const published = new Date(texts.get('published') ?? '')
  if (!/^[A-Za-z0-9_-]{11}$/.test(videoId) || Number.isNaN(published.getTime())) return null
  const isShort = url !== null && /\/shorts\//.test(url)
  return { videoId, title: cleanTitle(texts.get('title') ?? ''), publishedAt: published.toISOString(), url, isShort }
}

/** Reads the feed of a channel. Null if the text is no feed, such as a page that says that something went wrong. */
export function readFeed(xml: string): ChannelFeed | null {
  const head: Draft = { texts: new Map(), url: null }
  const entries: FeedEntry[] = []
  let isFeed = false
  let entry: Draft | null = null
  let text = ''
  scanMarkup(xml, {
    open(name, attributes) {
      text = ''
      if (name === 'feed') isFeed = true
      if (name === 'entry') entry = { texts: new Map(), url: null }
      const href =
        name === 'link' && /rel\s*=\s*["']alternate["']/.test(attributes) ? HREF.exec(attributes)?.[1] : undefined
      const draft = entry ?? head
      if (href !== undefined) draft.url ??= decodeEntities(href)
    },
    text(raw) {
      text += raw
    },
    close(name) {
      const draft = entry ?? head
      if (!draft.texts.has(name)) draft.texts.set(name, decodeEntities(text).trim())
      text = ''
      if (name !== 'entry' || entry === null) return
      const read = toEntry(entry)
      if (read) entries.push(read)
      entry = null
    },
  })
  if (!isFeed) return null
  const { texts, url } = head
  const title = texts.get('title')
  const ids = [texts.get('yt:channelId'), texts.get('id')?.replace(/^yt:channel:/, ''), url?.split('/channel/')[1]]
  return {
    channelId: ids.map((id) => (id === undefined ? null : toChannelId(id))).find((id) => id !== null) ?? null,
    title: title === undefined ? null : cleanTitle(title),
    entries,
  }
}
