import { isWrittenAlike } from '@subtext/captions'
import {
  type AnswerKind,
  type CostReservation,
  EXTRACTIVE,
  type ReserveCost,
  ServiceError,
  type SummaryUsage,
} from '@subtext/contracts'
import {
  type CheckStatement,
  createLeakGuard,
  createQuoteFinder,
  createStatementCheck,
  createStemFinder,
  type DetectLanguage,
  loadLanguageDetector,
} from '@subtext/evidence'
import {
  type PricedModel,
  type TextModelAnswer,
  type TextModelPrompt,
  type TextModelUsage,
  withoutCacheReads,
} from '@subtext/llm'
import { createPacer, type PromptLimits } from '@subtext/summarize'
import {
  buildTranscriptLines,
  createLineResolver,
  nameSpeakers,
  type PromptLine,
  SYSTEM_RULES,
} from '@subtext/summarize/prompts'
import { checkStatement, type DropReason } from './answer/check-statement.ts'
import { createStatementReader, type Statement } from './answer/read-statements.ts'
import { selectAnswerLanguage } from './language.ts'
import { buildPrompt, CHAT_SECRETS, NOT_IN_VIDEO, type PromptOptions } from './prompt.ts'
import { quotePassages } from './quote-passages.ts'
import type { Answer, AnswerPart, AnswerProblem, Charge, ChatQuestion, ChatSource } from './types.ts'

export interface AnswerOptions {
  signal: AbortSignal
  /**
   * Sets the cost of each call of the model aside. What it rejects with refuses the question, unless something has been paid for it.
   * Default: nothing is set aside.
   */
  reserve?: ReserveCost
  /** Called with each part of the answer, and the kind of the answer, as soon as the part has passed all checks. */
  onPart?: (part: AnswerPart, kind: AnswerKind) => void
}

export interface VideoChat {
  /**
   * Answers a question about a video. Everything it returns has been checked. Rejects only with the signal's reason, with a
   * refusal of `reserve`, or with a bug of ours.
   */
  answer(source: ChatSource, question: ChatQuestion, options: AnswerOptions): Promise<Answer>
}

export interface VideoChatOptions {
  /** Null to answer questions with passages of the transcript. */
  model: PricedModel | null
  /** Maximum length of a prompt in tokens. Of a transcript that does not fit, only passages are read. */
  limits: PromptLimits
  /** Called for each statement of a model that is not shown. */
  countDropped?: (labels: { reason: DropReason }) => void
}

const isLeak = createLeakGuard([SYSTEM_RULES, ...CHAT_SECRETS])
/** Enough for any question: a model that goes on is interrupted after as many sentences, or characters of any text. */
const MAX_PARTS = 40
const MAX_CHARACTERS = 20_000

/** Collects the statements of an answer that pass the checks. */
interface Collector {
  readonly parts: AnswerPart[]
  restart(): void
  push(text: string): void
  end(): void
  /** Number of characters since the last restart. */
  length(): number
}

function createCollector(
  check: CheckStatement,
  { onPart }: AnswerOptions,
  countDropped: VideoChatOptions['countDropped'],
): Collector {
  const parts: AnswerPart[] = []
  const shown = new Set<string>()
  let reader = createStatementReader()
  let length = 0
  const take = (statements: Statement[]): void => {
    for (const statement of statements) {
      if (parts.length >= MAX_PARTS) return
      if (statement.text.toUpperCase().startsWith(NOT_IN_VIDEO)) continue
      const checked = checkStatement(statement, check)
      if ('dropped' in checked) countDropped?.({ reason: checked.dropped })
      else if (!shown.has(checked.text)) {
        shown.add(checked.text)
        parts.push(checked)
        onPart?.(checked, 'answer')
      }
    }
  }
  return {
    parts,
    restart: () => {
      reader = createStatementReader()
      length = 0
    },
    push: (text) => {
      length += text.length
      take(reader.push(text))
    },
    end: () => take(reader.end()),
    length: () => length,
  }
}

const addUsage = (total: SummaryUsage, used: TextModelUsage, costUsd: number): SummaryUsage => ({
  inputTokens: total.inputTokens + used.inputTokens,
  outputTokens: total.outputTokens + used.outputTokens,
  cachedInputTokens: total.cachedInputTokens + used.cachedInputTokens,
  cacheWriteTokens: total.cacheWriteTokens + used.cacheWriteTokens,
  costUsd: total.costUsd + costUsd,
})
const NOTHING: SummaryUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
}

/** How long the work on a prompt may keep the event loop busy: all other requests to the process wait for it. */
const SLICE_MS = 2
const createChatPacer = (signal: AbortSignal) => createPacer(signal, SLICE_MS)

/** Of most texts; fewer of some scripts. */
const CHARACTERS_PER_TOKEN = 4

type Ending = { stop: TextModelAnswer['stop'] | 'unavailable'; usage: SummaryUsage | null; charges: Charge[] }

interface Asked {
  source: ChatSource
  lines: PromptLine[]
  question: ChatQuestion
  language: string
  onDocument: PromptOptions['onDocument']
}

/** Sends the question, and if necessary sends it again with a shorter document. Passes the model's answer to the collector. */
async function askModel(
  { model: priced, limits }: VideoChatOptions & { model: PricedModel },
  { source, lines, question, language, onDocument }: Asked,
  collector: Collector,
  { signal, reserve }: AnswerOptions,
): Promise<Ending> {
  const { model, computeCostUsd } = priced
  const enough = new AbortController()
  let usage: SummaryUsage | null = null
  let hasOwnCache = source.hasOwnCache
  let isOwn = hasOwnCache
  const charges: Charge[] = []
  const spend = (used: TextModelUsage, { cacheDocument }: TextModelPrompt, reservation?: CostReservation): void => {
    const shown = isOwn ? used : withoutCacheReads(used, cacheDocument)
    const counted = Math.round(computeCostUsd(model.model, shown) * 1e6) / 1e6
    const costUsd = reservation ? Math.min(counted, reservation.maxCostUsd) : counted
    usage = addUsage(usage ?? NOTHING, shown, costUsd)
    if (reservation) charges.push({ costUsd, reservation })
  }
  const take = (text: string): void => {
    if (enough.signal.aborted) return
    collector.push(text)
    if (collector.parts.length >= MAX_PARTS || collector.length() > MAX_CHARACTERS) enough.abort()
  }
  /** The server counts the tokens at the end of an answer, which an interrupted one does not reach. */
  const countAll = (used: TextModelUsage): TextModelUsage =>
    enough.signal.aborted
      ? { ...used, outputTokens: Math.max(used.outputTokens, Math.ceil(collector.length() / CHARACTERS_PER_TOKEN)) }
      : used
  const ask = async (isTooLong: boolean): Promise<Ending['stop']> => {
    const pace = createChatPacer(signal)
    const prompt = await buildPrompt(source, { question, language, limits, lines, isTooLong, pace, onDocument })
    try {
      const answer = await model.complete({
        ...prompt,
        signal: AbortSignal.any([signal, enough.signal]),
        onSend: () => {
          isOwn = hasOwnCache
          collector.restart()
        },
        onStart: () => {
          hasOwnCache = true
        },
        onText: take,
        mayRetry: () => collector.parts.length === 0,
        reserve,
        onFailedAttempt: (used, reservation) => spend(countAll(used), prompt, reservation),
      })
      spend(answer.usage, prompt, answer.reservation)
      return answer.stop
    } catch (error) {
      if (enough.signal.aborted && !signal.aborted) return 'cut'
      if (signal.aborted || !(error instanceof ServiceError)) throw error
      // Whatever was paid is delivered with an answer.
      if (error.code === 'QUOTA_EXCEEDED' && usage === null) throw error
      return 'unavailable'
    }
  }
  let stop = await ask(false)
  if (stop === 'too-long' && collector.parts.length === 0) stop = await ask(true)
  // The beginning of a sentence that broke off is not a sentence.
  if (stop === 'complete') collector.end()
  return { stop, usage, charges }
}

function findProblem({ stop }: Ending, parts: AnswerPart[]): AnswerProblem | null {
  if (stop === 'complete') return null
  if (parts.length > 0) return 'incomplete'
  return stop === 'refused' ? 'declined' : 'unavailable'
}

/** Creates the function that answers questions about videos. */
export function createChat(options: VideoChatOptions): VideoChat {
  const { model, countDropped } = options
  let detector: Promise<DetectLanguage> | undefined

  const quote = async (source: ChatSource, question: ChatQuestion, { signal, onPart }: AnswerOptions) => {
    const parts = await quotePassages(source, question, createChatPacer(signal))
    for (const part of parts) onPart?.(part, 'passages')
    return { kind: 'passages' as const, parts, language: source.track.language, model: EXTRACTIVE }
  }

  return {
    async answer(given, question, answerOptions) {
      const source = { ...given, cues: nameSpeakers(given.cues) }
      if (!model) return { ...(await quote(source, question, answerOptions)), usage: null, problem: null }
      detector ??= loadLanguageDetector()
      const detect = await detector
      const trackLanguage = source.track.language
      const earlier = question.earlier.map((exchange) => exchange.question)
      const language = selectAnswerLanguage({ question: question.text, earlier, trackLanguage }, detect)
      const createCheck = (passages: readonly PromptLine[]): CheckStatement =>
        createStatementCheck({
          cues: source.cues,
          published: [source.video.title, source.video.channel.name, source.video.description],
          passages,
          trackLanguage,
          language,
          detect,
          isLeak,
        })
      let check: CheckStatement | undefined
      const lines = await buildTranscriptLines(source, createChatPacer(answerOptions.signal))
      let starts: ReadonlySet<number> = new Set()
      const onDocument: PromptOptions['onDocument'] = (passages) => {
        starts = new Set(passages.map(({ id }) => id))
        check = createCheck(passages)
      }
      const resolve = createLineResolver({
        lines,
        findStems: isWrittenAlike(trackLanguage, language) ? createStemFinder(trackLanguage) : null,
        findQuoted: createQuoteFinder(source.cues),
        isStart: (id) => starts.has(id),
      })
      const checkStatement: CheckStatement = (statement) => {
        if (!check) throw new Error('An answer arrived before its document was sent.')
        return check(resolve(statement))
      }
      const collector = createCollector(checkStatement, answerOptions, countDropped)
      const ending = await askModel(
        { ...options, model },
        { source, lines, question, language, onDocument },
        collector,
        answerOptions,
      )
      const { parts } = collector
      const problem = findProblem(ending, parts)
      const usage = ending.usage && {
        ...ending.usage,
        model: model.model.model,
        ...(ending.charges.length > 0 && { charges: ending.charges }),
      }
      if (problem !== null && parts.length === 0) {
        return { ...(await quote(source, question, answerOptions)), usage, problem }
      }
      const kind = parts.length > 0 ? 'answer' : 'not_in_video'
      return { kind, parts, language, model: model.model.model, usage, problem }
    },
  }
}
