import { MAX_SOURCE_VIDEOS, ServiceError } from '@subtext/contracts'
import type { PlatformAnswer } from '@subtext/youtube'
import {
  type Listing,
  MAX_LISTING_BYTES,
  MAX_LISTING_REQUESTS,
  type SourceFault,
  SourceGoneError,
  SourceMovedError,
} from './listing.ts'
import type { ListEntry } from './pages/read-entry.ts'
import { type ListPage, readPage } from './pages/read-page.ts'

export type BrowseList = (fields: Record<string, unknown>) => Promise<PlatformAnswer>

/** The requests of one listing, which share its limits. */
export interface Visit {
  browse: (fields: Record<string, unknown>) => Promise<ListPage>
  /** Whether one more request is allowed. */
  mayAsk: () => boolean
}

/** Counts the requests of a listing and the size of their answers. */
export function openVisit(browse: BrowseList): Visit {
  let requests = 0
  let bytes = 0
  return {
    mayAsk: () => requests < MAX_LISTING_REQUESTS && bytes < MAX_LISTING_BYTES,
    async browse(fields) {
      requests++
      const answer = await browse(fields)
      bytes += answer.bytes
      return readPage(answer.body)
    },
  }
}

/** A list as far as it was read. */
export interface WalkedList {
  first: ListPage
  entries: ListEntry[]
  /** Whether the platform has more than was read. */
  isCut: boolean
}

/** Asks for videos that cannot be played as well, which would otherwise be missing without a word. */
const WITH_UNAVAILABLE = 'wgYCCAA%3D'

/** An answer that has no list where one was promised: the listing broke off. */
const brokenOff = (): ServiceError =>
  new ServiceError('UPSTREAM_UNAVAILABLE', { cause: new Error('the list broke off') })

/**
 * Builds the token that requests the first part of a playlist, for answers that only have its head: a message in the format of
 * Protocol Buffers, as https://github.com/TeamNewPipe/NewPipeExtractor builds it.
 */
export function buildFirstToken(playlistId: string): string {
  const field = (tag: string, text: string): string => `${tag}${String.fromCharCode(text.length)}${text}`
  const message = field('\x12', `VL${playlistId}`) + field('\x1a', 'CADCBgIIAA%3D%3D') + field('\x9a\x02', playlistId)
  return encodeURIComponent(Buffer.from(field('\xe2\xa9\x85\xb2\x02', message), 'latin1').toString('base64url'))
}

/** Returns why the platform has no list, from the words of its alert. They change, so they are compared loosely. */
export function classifyFault(texts: readonly string[]): SourceFault {
  const text = texts.join(' ')
  if (/terminat|suspend|violat|copyright|removed/i.test(text)) return 'terminated'
  return /\bprivate\b/i.test(text) ? 'private' : 'not_found'
}

/** Refuses an answer that says that there is no list, or that leads elsewhere. */
export function refuseFault(page: ListPage): void {
  if (page.redirect?.startsWith('UC')) throw new SourceMovedError(page.redirect)
  if (page.status === 400 || page.status === 404) throw new SourceGoneError('not_found')
  if (page.errors.length > 0 && page.entries.length === 0) throw new SourceGoneError(classifyFault(page.errors))
}

/** A list may say that it has a few more videos than it shows, because some are hidden in the country of the address. */
const SHOWN_SHARE = 0.95

/** Returns whether a list that shows nothing more may have ended. */
const mayHaveEnded = (total: number | null, shown: number): boolean => total === null || shown >= total * SHOWN_SHARE

/** Follows a list from its first page to its end, or as far as the limits allow. Throws if it breaks off. */
export async function followList(visit: Visit, first: ListPage, max = MAX_SOURCE_VIDEOS): Promise<WalkedList> {
  const ids = new Set(first.entries.map(({ id }) => id))
  const entries = [...first.entries]
  const asked = new Set<string>()
  let { next } = first
  while (next !== null && !asked.has(next)) {
    if (ids.size >= max || !visit.mayAsk()) return { first, entries, isCut: true }
    asked.add(next)
    const page = await visit.browse({ continuation: next })
    if (!page.hasList) {
      if (mayHaveEnded(first.total, entries.length)) break
      throw brokenOff()
    }
    entries.push(...page.entries)
    for (const { id } of page.entries) ids.add(id)
    next = page.next
  }
  return { first, entries, isCut: ids.size > max }
}

/** Requests the first page of a playlist. Throws `SourceGoneError` if the platform says that there is none. */
async function openPlaylist(visit: Visit, playlistId: string): Promise<ListPage> {
  const page = await visit.browse({ browseId: `VL${playlistId}`, params: WITH_UNAVAILABLE })
  refuseFault(page)
  if (page.hasList) return page
  const isHead = page.title !== null || page.total !== null
  if (!isHead) throw brokenOff()
  const list = await visit.browse({ continuation: buildFirstToken(playlistId) })
  refuseFault(list)
  if (!list.hasList && !mayHaveEnded(page.total, 0)) throw brokenOff()
  return { ...list, title: page.title ?? list.title, owner: page.owner ?? list.owner, total: page.total ?? list.total }
}

/** Reads a playlist to its end. */
export async function walkPlaylist(visit: Visit, playlistId: string, max?: number): Promise<WalkedList> {
  return followList(visit, await openPlaylist(visit, playlistId), max)
}

/** Like `walkPlaylist`; null if the platform says that there is no such list. */
export async function findPlaylist(visit: Visit, playlistId: string): Promise<WalkedList | null> {
  if (!visit.mayAsk()) return null
  try {
    return await walkPlaylist(visit, playlistId)
  } catch (error) {
    if (error instanceof SourceGoneError) return null
    throw error
  }
}

/** Keeps each video once, and no more than are kept of a source. */
export function keepVideos<Video extends Pick<ListEntry, 'id'>>(
  entries: readonly Video[],
  isCut: boolean,
): { kept: Video[] } & Pick<Listing, 'truncated'> {
  const byId = new Map<string, Video>()
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry)
  const unique = [...byId.values()]
  return { kept: unique.slice(0, MAX_SOURCE_VIDEOS), truncated: isCut || unique.length > MAX_SOURCE_VIDEOS }
}
