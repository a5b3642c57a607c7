import { type AnswerKind, type CostReservation, type ReserveCost, ServiceError } from '@subtext/contracts'
import type { CheckStatement } from '@subtext/evidence'
import {
  type Bill,
  type PricedModel,
  type TextModelAnswer,
  type TextModelPrompt,
  type TextModelUsage,
  withoutCacheReads,
} from '@subtext/llm'
import { createPacer, type PromptLimits } from '@subtext/summarize'
import { checkStatement, type DropReason } from './answer/check-statement.ts'
import { createStatementReader, type Statement } from './answer/read-statements.ts'
import { NOT_IN_VIDEO } from './prompt.ts'
import type { AnswerPart, AnswerProblem } from './types.ts'

export interface AnswerOptions<P = AnswerPart> {
  signal: AbortSignal
  /**
   * Sets the cost of each call of the model aside. What it rejects with refuses the question, unless something has been paid for it.
   * Default: nothing is set aside.
   */
  reserve?: ReserveCost
  /** Called with each part of the answer, and the kind of the answer, as soon as the part has passed all checks. */
  onPart?: (part: P, kind: AnswerKind) => void
}

export interface ChatOptions {
  /** Null to answer questions with passages of the transcript. */
  model: PricedModel | null
  /** Maximum length of a prompt in tokens. Of a transcript that does not fit, only passages are read. */
  limits: PromptLimits
  /** Called for each statement of a model that is not shown. */
  countDropped?: (labels: { reason: DropReason }) => void
}

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
  countDropped: ChatOptions['countDropped'],
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

/** How long the work on a prompt may keep the event loop busy: all other requests to the process wait for it. */
const SLICE_MS = 2
export const createChatPacer = (signal: AbortSignal) => createPacer(signal, SLICE_MS)

/** Of most texts; fewer of some scripts. */
const CHARACTERS_PER_TOKEN = 4

type Ending = TextModelAnswer['stop'] | 'unavailable'

/** What a question is answered from. */
export interface AnswerSubject {
  /** Whether the account's own earlier calls keep the document in the provider's cache. */
  hasOwnCache: boolean
  /** Builds the prompt. `isTooLong`: the document has proved to be too long for the model. */
  buildPrompt(isTooLong: boolean): Promise<TextModelPrompt>
  /** Checks statements against the document of the last prompt. */
  check: CheckStatement
}

/** Sends the question, and if necessary sends it again with a shorter document. Passes the model's answer to the collector. */
async function askModel(
  { model }: PricedModel,
  { subject, collector, bill }: { subject: AnswerSubject; collector: Collector; bill: Bill },
  { signal, reserve }: Pick<AnswerOptions, 'signal' | 'reserve'>,
): Promise<Ending> {
  const enough = new AbortController()
  let { hasOwnCache } = subject
  let isOwn = hasOwnCache
  const spend = (used: TextModelUsage, { cacheDocument }: TextModelPrompt, reservation?: CostReservation): void =>
    bill.add(isOwn ? used : withoutCacheReads(used, cacheDocument), reservation)
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
  const ask = async (isTooLong: boolean): Promise<Ending> => {
    const prompt = await subject.buildPrompt(isTooLong)
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
      if (error.code === 'QUOTA_EXCEEDED' && bill.isEmpty()) throw error
      return 'unavailable'
    }
  }
  let stop = await ask(false)
  if (stop === 'too-long' && collector.parts.length === 0) stop = await ask(true)
  // The beginning of a sentence that broke off is not a sentence.
  if (stop === 'complete') collector.end()
  return stop
}

function findProblem(stop: Ending, parts: AnswerPart[]): AnswerProblem | null {
  if (stop === 'complete') return null
  if (parts.length > 0) return 'incomplete'
  return stop === 'refused' ? 'declined' : 'unavailable'
}

export interface WrittenText {
  parts: AnswerPart[]
  problem: AnswerProblem | null
}

/** Lets the model answer a question about a subject. What it says and the subject does not is left out. */
export async function writeAnswer(
  { model, countDropped }: ChatOptions & { model: PricedModel },
  { subject, bill }: { subject: AnswerSubject; bill: Bill },
  options: AnswerOptions,
): Promise<WrittenText> {
  const collector = createCollector(subject.check, options, countDropped)
  const stop = await askModel(model, { subject, collector, bill }, options)
  return { parts: collector.parts, problem: findProblem(stop, collector.parts) }
}
