import type { FoundPassage, LibraryVideo, PassageRequest } from '@subtext/chat'
import { findBestCandidates, findVideoInfos, type LibraryCandidate, type LibraryFilter } from '@subtext/core/library'
import { readAllCues, UnreadableTranscriptError } from '@subtext/core/transcripts'
import { buildTerms, findDistinct, type TextFolder } from '@subtext/search'
import { planQuestion } from './plan-search.ts'
import { rankCandidates, type SearchTools } from './rank-candidates.ts'

/** Videos whose passages are compared. PostgreSQL picks them by their words. */
const MAX_VIDEOS = 60
const MAX_PASSAGES = 20
/** A video that says much about something must not keep the others out. */
const MAX_PASSAGES_OF_VIDEO = 4
/** What a word counts that a model has added, and one of the question before. */
const ADDED_WEIGHT = 0.5
const EARLIER_WEIGHT = 0.3

/** Finds the passages that fit a question in the videos of a filter, the best first. */
export async function findPassages(
  tools: SearchTools,
  filter: LibraryFilter,
  { question, earlier = '', words }: PassageRequest,
): Promise<FoundPassage[]> {
  const texts = [question, earlier, ...words]
  const plan = planQuestion(texts, tools.folderOf)
  const weights = weigh(texts, tools.folderOf('en'))
  if (weights.length === 0 || filter.languages.length === 0) return []
  const queries = plan.buildQueries(filter.languages, false)
  const candidates = await findBestCandidates(tools.db, filter, queries, { limit: MAX_VIDEOS })
  const { ranked } = await rankCandidates({ ...tools, plan, weights, all: false }, candidates)
  const best = ranked
    .flatMap(({ candidate, passages }) =>
      passages
        .filter(({ score }) => score > 0)
        .map(({ first, last, score }) => ({ candidate, first, last, score }))
        .sort((a, b) => b.score - a.score)
        .slice(0, MAX_PASSAGES_OF_VIDEO),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PASSAGES)
  return readPassages(tools, best)
}

/** Returns what each term counts, 0 for one that another one repeats. All languages have the same terms at the same places. */
function weigh(texts: readonly string[], folder: TextFolder): number[] {
  const terms = texts.map((text) => buildTerms(text, folder))
  const distinct = new Set(findDistinct(terms.flat()))
  return terms
    .flatMap((own, nth) => own.map(() => (nth === 0 ? 1 : nth === 1 ? EARLIER_WEIGHT : ADDED_WEIGHT)))
    .map((weight, place) => (distinct.has(place) ? weight : 0))
}

interface BestPassage {
  candidate: LibraryCandidate
  first: number
  last: number
}

/** Reads the videos of passages. Those of a job that has just been deleted are left out. */
async function readPassages({ db }: SearchTools, best: readonly BestPassage[]): Promise<FoundPassage[]> {
  const candidates = [...new Set(best.map(({ candidate }) => candidate))]
  const infos = await findVideoInfos(
    db,
    candidates.map(({ jobId }) => jobId),
  )
  const videos = new Map<LibraryCandidate, { video: LibraryVideo; cues: Awaited<ReturnType<typeof readAllCues>> }>()
  for (const candidate of candidates) {
    const { jobId, transcriptId, cueCount, language } = candidate
    const info = infos.get(jobId)
    const cues = await readAllCues(db, transcriptId, cueCount).catch((error: unknown) => {
      if (!(error instanceof UnreadableTranscriptError)) throw error
      return null
    })
    if (info && cues) videos.set(candidate, { video: { jobId, info, language }, cues })
  }
  return best.flatMap(({ candidate, first, last }) => {
    const found = videos.get(candidate)
    return found ? [{ video: found.video, first, cues: found.cues.slice(first - 1, last) }] : []
  })
}
