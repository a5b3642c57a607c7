import {
  MAX_COUNTED_VIDEOS,
  type MentionCounts,
  type MentionGroup,
  type MentionGrouping,
  parseLibraryRange,
  type Warning,
} from '@subtext/contracts'
import { findNewestCandidates, type LibraryCandidate, listLibraryLanguages } from '@subtext/core/library'
import { buildWatchUrl } from '@subtext/render'
import { findDistinct, findMatches, findSegment } from '@subtext/search'
import { planSearch, type SearchPlan } from './plan-search.ts'
import type { SearchTools } from './rank-candidates.ts'

export interface MentionQuery {
  q: string
  by: MentionGrouping
  from?: string | undefined
  to?: string | undefined
}

/** Counts what is said in the library of an account. Error: `VALIDATION_ERROR` for a query that has nothing to count. */
export async function countMentions(
  tools: SearchTools,
  userId: string,
  { q, by, ...range }: MentionQuery,
  maxVideos = MAX_COUNTED_VIDEOS,
): Promise<{ data: MentionCounts; warnings: Warning[] }> {
  const plan = planSearch(q, 'words', tools.folderOf)
  const languages = await listLibraryLanguages(tools.db, userId)
  const filter = { userId, languages, ...parseLibraryRange(range) }
  const queries = plan.buildQueries(languages, false)
  const page = { limit: maxVideos + 1 }
  const candidates = languages.length > 0 ? await findNewestCandidates(tools.db, filter, queries, page) : []
  const groups = new Map<string, MentionGroup>()
  // From the oldest to the newest, so that the last mention is the newest.
  for (const candidate of candidates.slice(0, maxVideos).reverse()) {
    const mentions = await countIn(tools, plan, candidate)
    if (mentions) addMentions(groups, keyOf(candidate, by), mentions)
  }
  const all = [...groups.values()]
  const warnings: Warning[] = candidates.length > maxVideos ? [describeCap(maxVideos)] : []
  return {
    data: {
      total: all.reduce((sum, { mentions }) => sum + mentions, 0),
      groups: by === 'month' ? all.sort(byKey) : all.sort((a, b) => b.mentions - a.mentions || byKey(a, b)),
    },
    warnings,
  }
}

const describeCap = (videos: number): Warning => ({
  code: 'MENTIONS_CAPPED',
  message: `The query applies to more than ${videos.toLocaleString('en-US')} videos. Mentions were counted in the newest of them.`,
})

const byKey = (a: MentionGroup, b: MentionGroup): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

const keyOf = ({ videoId, channelId, publishedAt, completedAt }: LibraryCandidate, by: MentionGrouping): string => {
  if (by === 'video') return videoId
  return by === 'channel' ? channelId : (publishedAt ?? completedAt).toISOString().slice(0, 7)
}

type Mentions = Pick<MentionGroup, 'mentions' | 'first' | 'last'>

/** Counts the mentions in a video. Null if there are none, or if something is said that must not be. */
async function countIn(
  { readTranscript, pace }: SearchTools,
  plan: SearchPlan,
  candidate: LibraryCandidate,
): Promise<Mentions | null> {
  const { folder, wanted, excluded } = plan.planFor(candidate.language)
  const distinct = findDistinct(wanted).map((place) => wanted[place] ?? [])
  const transcript = await readTranscript(candidate, folder, pace)
  if (!transcript) return null
  const matches = await findMatches(transcript, [...distinct, ...excluded], pace)
  const [first, last] = [matches[0], matches.at(-1)]
  if (!first || !last || matches.some(({ pattern }) => pattern >= distinct.length)) return null
  const momentOf = (word: number) => {
    const startMs = transcript.startsMs[findSegment(transcript, transcript.starts[word] ?? 0) - 1] ?? 0
    return {
      job_id: candidate.jobId,
      start: startMs / 1_000,
      url: buildWatchUrl(candidate.videoUrl ?? candidate.videoId, startMs),
    }
  }
  return { mentions: matches.length, first: momentOf(first.first), last: momentOf(last.first) }
}

function addMentions(groups: Map<string, MentionGroup>, key: string, { mentions, first, last }: Mentions): void {
  const group = groups.get(key)
  if (!group) {
    groups.set(key, { key, mentions, videos: 1, first, last })
    return
  }
  group.mentions += mentions
  group.videos++
  group.last = last
}
