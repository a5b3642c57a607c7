import {
  type LibraryHit,
  type LibrarySearchKind,
  type LibrarySearchResult,
  MAX_LIBRARY_PASSAGES,
  parseLibraryRange,
  type VideoInfo,
} from '@subtext/contracts'
import type { Context } from '@subtext/core/context'
import {
  type CandidatePlace,
  countEntries,
  createSearchCursors,
  FIRST_PLACE,
  findBestCandidates,
  findVideoInfos,
  type LanguageQuery,
  type LibraryCandidate,
  type LibraryFilter,
  listLibraryLanguages,
  markVideo,
  type SearchPlace,
} from '@subtext/core/library'
import { getSource } from '@subtext/core/sources'
import { videoUrlOf } from '@subtext/core/videos'
import { buildWatchUrl } from '@subtext/render'
import { type QuotedPassage, quotePassages } from '@subtext/search'
import { presentCursorPage } from '../presenters/page.ts'
import { planSearch, selectLanguages } from './plan-search.ts'
import { type RankedCandidate, type RankOptions, rankCandidates, type SearchTools } from './rank-candidates.ts'

export interface LibrarySearch {
  q: string
  kind: LibrarySearchKind
  language?: string | undefined
  channel_id?: string | undefined
  source_id?: string | undefined
  from?: string | undefined
  to?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** Videos that PostgreSQL picks by their words, so that their passages are compared. */
const BLOCK = 20
/** Videos whose text one request looks into. If it finds too few hits, the next page goes on. */
const MAX_VIDEOS = 100

/**
 * Searches the library of an account. Errors: `VALIDATION_ERROR` for a query or a cursor that cannot be used, `NOT_FOUND` for a
 * source of somebody else.
 */
export async function searchLibrary(
  tools: SearchTools,
  userId: string,
  { limit, cursor, ...search }: LibrarySearch,
): Promise<LibrarySearchResult> {
  const cursors = createSearchCursors(userId, search)
  const place = cursor === undefined ? FIRST_PLACE : cursors.decode(cursor)
  const plan = planSearch(search.q, search.kind, tools.folderOf)
  const languages = selectLanguages(await listLibraryLanguages(tools.db, userId), search.language)
  const source = search.source_id === undefined ? null : await getSource(tools, { userId }, search.source_id)
  const filter = {
    userId,
    languages,
    channelId: search.channel_id,
    sourceId: source?.sourceId,
    ...parseLibraryRange(search),
  }
  const queries = plan.buildQueries(languages, search.kind === 'words')
  const asked: Asked = { ...tools, plan, filter, queries, all: search.kind === 'words' }
  const [{ hits, next }, videos] = await Promise.all([
    languages.length > 0 ? findHits(asked, place, limit) : { hits: [], next: null },
    countEntries(tools.db, filter),
  ])
  return {
    hits: await presentHits(tools.db, hits),
    searched: { videos },
    pagination: presentCursorPage(limit, next && cursors.encode(next)),
  }
}

interface Asked extends SearchTools, RankOptions {
  filter: LibraryFilter
  queries: readonly LanguageQuery[]
}

interface Hit {
  candidate: LibraryCandidate
  score: number
  passages: QuotedPassage[]
}

/** Goes through the candidates in blocks until there are enough hits. `next`: where the next page begins. */
async function findHits(
  asked: Asked,
  from: SearchPlace,
  limit: number,
): Promise<{ hits: Hit[]; next: SearchPlace | null }> {
  const hits: Hit[] = []
  let place = from
  for (let looked = 0; looked < MAX_VIDEOS && hits.length < limit; ) {
    const block = await readBlock(asked, place)
    const found = block.hits.filter(({ candidate }) => !place.shown.includes(markVideo(candidate.videoId)))
    const own = found.slice(0, limit - hits.length)
    hits.push(...own)
    if (own.length < found.length) {
      const shown = [...place.shown, ...own.map(({ candidate }) => markVideo(candidate.videoId))]
      return { hits, next: { after: place.after, until: block.last, shown } }
    }
    if (block.isLast) return { hits, next: null }
    place = { after: block.last, until: null, shown: [] }
    looked += block.looked
  }
  return { hits, next: place }
}

interface Block {
  /** The best first. */
  hits: Hit[]
  /** The last candidate that it has looked into. */
  last: CandidatePlace | null
  looked: number
  isLast: boolean
}

/** Reads the candidates of a block, those that have been added since an earlier page too. */
async function readBlock(asked: Asked, { after, until }: SearchPlace): Promise<Block> {
  const page = { after, limit: (until ? 2 * BLOCK : BLOCK) + 1 }
  const candidates = await findBestCandidates(asked.db, asked.filter, asked.queries, page)
  const isBefore = ({ rank, jobId }: LibraryCandidate, place: CandidatePlace): boolean =>
    rank > place.rank || (rank === place.rank && jobId >= place.jobId)
  const own = until
    ? candidates.slice(0, 2 * BLOCK).filter((candidate) => isBefore(candidate, until))
    : candidates.slice(0, BLOCK)
  const { ranked, looked } = await rankCandidates(asked, own)
  return {
    hits: ranked.map(toHit).sort((a, b) => b.score - a.score),
    last: own[looked - 1] ?? until ?? after,
    looked,
    isLast: candidates.length <= looked,
  }
}

function toHit({ candidate, transcript, passages }: RankedCandidate): Hit {
  const score = passages.reduce((best, each) => Math.max(best, each.score), 0)
  return { candidate, score, passages: quotePassages(transcript, passages, MAX_LIBRARY_PASSAGES) }
}

async function presentHits(db: Context['db'], hits: readonly Hit[]): Promise<LibraryHit[]> {
  const ids = hits.map(({ candidate }) => candidate.jobId)
  const infos: ReadonlyMap<string, VideoInfo> = hits.length === 0 ? new Map() : await findVideoInfos(db, ids)
  return hits.map(({ candidate, passages }) => ({
    job_id: candidate.jobId,
    video_id: candidate.videoId,
    video_url: videoUrlOf(candidate),
    video_title: candidate.title,
    channel: infos.get(candidate.jobId)?.channel ?? { id: candidate.channelId, name: candidate.channelId, url: '' },
    ...(candidate.publishedAt && { published_at: candidate.publishedAt.toISOString() }),
    passages: passages.map(({ first, last, startMs, endMs, text, highlights }) => ({
      start: startMs / 1_000,
      end: endMs / 1_000,
      url: buildWatchUrl(candidate.videoUrl ?? candidate.videoId, startMs),
      segment_ids: Array.from({ length: last - first + 1 }, (_, nth) => first + nth),
      text,
      highlights,
    })),
  }))
}
