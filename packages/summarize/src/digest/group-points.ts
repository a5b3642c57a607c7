import { type ReserveCost, ServiceError } from '@subtext/contracts'
import { type Bill, createBill, estimateTokens, type PricedModel } from '@subtext/llm'
import { computeMaxLineTokens, type PromptLimits } from '../model/limits.ts'
import { checkGroups } from './check-groups.ts'
import { buildGroupInstruction, buildPointsDocument, DIGEST_RULES, GROUP_SCHEMA, readAnswer } from './digest-prompt.ts'
import type { DigestGroups, SummarizedPoint, SummarizedVideo } from './types.ts'

export interface GroupRequest {
  /** Only this digest has it. The prompt begins with it, because a provider's cache is shared by all accounts. */
  key: string
  points: readonly SummarizedPoint[]
  videos: readonly SummarizedVideo[]
  /** Of the points, BCP-47. */
  language: string
  /** Of headings and questions, BCP-47. */
  outputLanguage: string
  /** The reader's wish, in the reader's own words. */
  focus: string | null
  limits: PromptLimits
}

export interface GroupedPoints {
  /** Null if the model could not be used, or wrote nothing that can be. */
  groups: DigestGroups | null
  bill: Bill
  /** Why the model was not used. */
  failure: ServiceError | null
}

/** An answer that cannot be used is asked for once more. */
const MAX_CALLS = 2
const MAX_OUTPUT_TOKENS = 12_000
/** More would make the answer long, and hardly anybody reads more. */
const MAX_POINTS = 800
const FRAME_TOKENS = 1_500
const LINE_TOKENS = 6

/** Returns the first points of each video in turn, as many as fit into the prompt, in their order. */
export function selectPoints(points: readonly SummarizedPoint[], limits: PromptLimits): number[] {
  const maxTokens = computeMaxLineTokens(limits, FRAME_TOKENS)
  const queues = new Map<string, number[]>()
  for (const [place, { jobId }] of points.entries()) queues.set(jobId, [...(queues.get(jobId) ?? []), place])
  const selected: number[] = []
  let tokens = 0
  for (let turn = 0; selected.length < MAX_POINTS; turn++) {
    const places = [...queues.values()].flatMap((queue) => queue[turn] ?? [])
    if (places.length === 0) break
    for (const place of places) {
      tokens += estimateTokens(points[place]?.text ?? '') + LINE_TOKENS
      if (tokens > maxTokens || selected.length === MAX_POINTS) return selected.sort((a, b) => a - b)
      selected.push(place)
    }
  }
  return selected.sort((a, b) => a - b)
}

/** Has a model group points by their numbers. Rejects only with the signal's reason, and with bugs of ours. */
export async function groupPoints(
  priced: PricedModel,
  request: GroupRequest,
  { signal, reserve }: { signal: AbortSignal; reserve?: ReserveCost },
): Promise<GroupedPoints> {
  const bill = createBill(priced)
  const selected = selectPoints(request.points, request.limits)
  const points = selected.flatMap((place) => request.points[place] ?? [])
  const prompt = {
    system: `Digest ${request.key}\n\n${DIGEST_RULES}`,
    document: buildPointsDocument(points, request.videos),
    cacheDocument: null,
    instruction: buildGroupInstruction({ language: request.outputLanguage, focus: request.focus }),
    schema: GROUP_SCHEMA,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  }
  for (let call = 0; call < MAX_CALLS; call++) {
    try {
      const answer = await priced.model.complete({ ...prompt, signal, reserve, onFailedAttempt: bill.add })
      bill.add(answer.usage, answer.reservation)
      if (answer.stop === 'refused' || answer.stop === 'too-long') break
      const read = answer.stop === 'complete' ? readAnswer(answer.text) : null
      const groups = read && checkGroups(read, points, request.language)
      if (groups && groups.themes.length > 0) return { groups: restore(groups, selected), bill, failure: null }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ServiceError)) throw error
      return { groups: null, bill, failure: error }
    }
  }
  return { groups: null, bill, failure: new ServiceError('SUMMARY_UNAVAILABLE') }
}

/** Returns groups of places in all points, instead of places in those that were selected. */
function restore({ themes, disagreements }: DigestGroups, selected: readonly number[]): DigestGroups {
  const back = (places: readonly number[]): number[] => places.flatMap((place) => selected[place] ?? [])
  return {
    themes: themes.map(({ title, points }) => ({ title, points: back(points) })),
    disagreements: disagreements.map(({ question, positions }) => ({ question, positions: positions.map(back) })),
  }
}
