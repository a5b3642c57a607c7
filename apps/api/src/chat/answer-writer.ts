import type { Answer } from '@subtext/chat'
import { type ReserveCost, ServiceError, type Warning } from '@subtext/contracts'
import {
  type AskContext,
  type ChatExchange,
  completeAnswer,
  failAnswer,
  findStoredAnswer,
  keepAnswerLease,
  type OpenedQuestion,
  type StoredAnswer,
} from '@subtext/core/chats'
import type { Context } from '@subtext/core/context'
import type { PersistWrite } from '@subtext/core/coordination'
import { createReserver, isSpendingRefusal, type SpendingSettings } from '@subtext/core/spending'
import { endsWithin } from '@subtext/runtime'
import { createAnswerFeed, type StoredPart, type WrittenPart } from './answer-feed.ts'
import { type AnswerContext, type AnswerEnd, answerQuestion } from './answer-question.ts'

export interface WriterContext extends AskContext, AnswerContext, Pick<Context, 'log'> {
  persist: PersistWrite
  /** Null if answers cost nothing. */
  spending: SpendingSettings | null
}

/** Metrics of answers. */
export interface AnswerMonitor {
  countAnswer(kind: Answer['kind'] | 'failed'): void
  observeFirstText(seconds: number): void
}

/** An answer that is being written in this process. */
export interface RunningAnswer {
  /** Yields all parts from the first one on, as they are written, until the answer is complete or `signal` aborts. */
  parts(signal: AbortSignal): AsyncIterable<WrittenPart>
  /** Resolves with the refusal of an answer that does not fit into a spending limit, and with null as soon as it is known to fit. */
  admitted: Promise<ServiceError | null>
  /** Resolves with the stored answer. Rejects with a `ServiceError`, or with a bug of ours. */
  done: Promise<ChatExchange>
}

/** Writes answers, even if nobody is waiting for them any more. */
export interface AnswerWriter {
  start(question: OpenedQuestion): RunningAnswer
  /** Returns the answer with this ID if it is being written in this process. */
  find(id: string): RunningAnswer | undefined
  /** Waits up to `graceMs` for the answers that are being written, and fails the others. */
  close(graceMs: number): Promise<void>
}

/** How long a complete answer waits for an unavailable database. */
const STORE_TIMEOUT_MS = 30_000
/** Time limit for storing the failure of answers that the end of the process interrupts. */
const FAIL_TIMEOUT_MS = 1_500
const RETRY_AFTER_SECONDS = 1

const interrupted = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', {
    message: 'The answer was interrupted. It costs nothing; ask again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

const uncertain = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', {
    message: 'It is not known whether the answer was stored. Read the conversation before you ask again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

const WARNINGS: Record<NonNullable<Answer['problem']>, Warning> = {
  unavailable: {
    code: 'MODEL_UNAVAILABLE',
    message: 'The language model is not available at the moment. These are the passages that fit best.',
  },
  declined: {
    code: 'ANSWER_DECLINED',
    message: 'The language model declined to answer. These are the passages that fit best.',
  },
  incomplete: {
    code: 'ANSWER_INCOMPLETE',
    message: 'The language model stopped before its answer was complete. Ask for it again with `regenerate`.',
  },
}

const toStored = ({ kind, language, model, problem }: AnswerEnd, parts: StoredPart[]): StoredAnswer => ({
  kind,
  parts,
  language,
  model,
  warnings: problem ? [WARNINGS[problem]] : [],
})

interface AnswerHooks {
  /** Called once the cost of the answer is known to fit into all limits. */
  onAdmitted(): void
  onPart(part: WrittenPart): void
}

/** Creates the writer. */
export function createAnswerWriter(ctx: WriterContext, monitor: AnswerMonitor): AnswerWriter {
  const running = new Map<string, RunningAnswer>()
  const stopping = new AbortController()

  const write = async (question: OpenedQuestion, { onAdmitted, onPart }: AnswerHooks): Promise<ChatExchange> => {
    const lost = new AbortController()
    const release = keepAnswerLease(ctx, question, ctx.chatPolicy.leaseSeconds, () => lost.abort(interrupted()))
    const signal = AbortSignal.any([lost.signal, stopping.signal])
    const startedAt = performance.now()
    try {
      const written: StoredPart[] = []
      const take = (part: StoredPart, kind: StoredAnswer['kind']): void => {
        if (written.length === 0) monitor.observeFirstText((performance.now() - startedAt) / 1_000)
        written.push(part)
        onPart({ kind, part })
      }
      const reserve = reserveFor(ctx, question, signal, onAdmitted)
      const answer = await answerQuestion(ctx, question, { signal, reserve, onPart: take })
      const complete = () => completeAnswer(ctx, question, { answer: toStored(answer, written), usage: answer.usage })
      const exchange = await ctx.persist(AbortSignal.any([signal, AbortSignal.timeout(STORE_TIMEOUT_MS)]), complete)
      if (!exchange) throw interrupted()
      monitor.countAnswer(answer.kind)
      return exchange
    } catch (error) {
      const stored = await findStoredAnswer(ctx, question).catch(() => undefined)
      if (stored?.answer) {
        monitor.countAnswer(stored.answer.kind)
        return stored
      }
      monitor.countAnswer('failed')
      // If this fails as well, the lease expires and the sweep marks the answer as failed.
      await failAnswer(ctx, question).catch((failure: Error) =>
        ctx.log.warn('failure of an answer not stored', { error: failure.message }),
      )
      if (stored === undefined) throw uncertain()
      throw signal.aborted ? interrupted() : error
    } finally {
      release()
    }
  }

  return {
    start(question) {
      const { id } = question.lease
      const feed = createAnswerFeed<WrittenPart>()
      const { admitted, admit } = createAdmission()
      if (!ctx.spending) admit(null)
      const done = write(question, { onAdmitted: () => admit(null), onPart: feed.push }).finally(() => {
        running.delete(id)
        feed.end()
      })
      // There may be nobody waiting for it any more.
      done.then(() => admit(null)).catch((error: unknown) => admit(isSpendingRefusal(error) ? error : null))
      const answer = { parts: feed.read, admitted, done }
      running.set(id, answer)
      return answer
    },
    find: (id) => running.get(id),
    async close(graceMs) {
      const ended = () => Promise.allSettled([...running.values()].map(({ done }) => done))
      if (await endsWithin(graceMs, ended())) return
      stopping.abort(interrupted())
      await endsWithin(FAIL_TIMEOUT_MS, ended())
    },
  }
}

function createAdmission() {
  let admit = (_refusal: ServiceError | null): void => {}
  const admitted = new Promise<ServiceError | null>((resolve) => {
    admit = resolve
  })
  return { admitted, admit }
}

/** Returns what sets the cost of an answer aside, if it costs anything. */
function reserveFor(
  ctx: WriterContext,
  { actor: { userId } }: OpenedQuestion,
  signal: AbortSignal,
  onAdmitted: () => void,
): ReserveCost | undefined {
  const { spending, persist } = ctx
  if (!spending) return undefined
  const reserve = createReserver({ ...ctx, spending }, { userId, job: null }, { signal, persist })
  return async (maxCostUsd) => {
    const reservation = await reserve(maxCostUsd)
    onAdmitted()
    return reservation
  }
}
