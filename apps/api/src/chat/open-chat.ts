import { createChat } from '@subtext/chat'
import { ServiceError } from '@subtext/contracts'
import type { ChatPolicy } from '@subtext/core/chats'
import { type CallGate, openModel } from '@subtext/llm'
import { promptLimitsOf, selectPricing } from '@subtext/llm/settings'
import { createModelSlots } from '@subtext/queue'
import type { ApiEnv } from '../env.ts'
import type { ApiMetrics } from '../metrics.ts'
import { type AnswerWriter, createAnswerWriter, type WriterContext } from './answer-writer.ts'

/** Time limit of an answer. Someone is waiting for it, and a longer wait is not worth it. */
const MAX_TIMEOUT_SECONDS = 120
const MAX_SILENCE_SECONDS = 60
const MAX_WAIT_FOR_SLOT_MS = 20_000
/** How long an answer of a process that died blocks its conversation. */
const LEASE_SECONDS = 6

interface ChatParts {
  queue: { url: string; prefix: string }
  metrics: ApiMetrics
}

/** What the API needs to answer questions about videos. */
interface OpenedChat {
  parts: { chatPolicy: ChatPolicy; answers: AnswerWriter }
  close(): Promise<void>
}

/** Opens the answering of questions, with the model that the settings name. */
export function openChat(
  env: ApiEnv,
  base: Omit<WriterContext, 'chatPolicy' | 'spending' | 'chat'>,
  { queue, metrics }: ChatParts,
): OpenedChat {
  const timeoutSeconds = Math.min(MAX_TIMEOUT_SECONDS, env.MODEL_TIMEOUT_SECONDS)
  const slots = createModelSlots({ ...queue, group: 'interactive', maxCalls: env.MODEL_CONCURRENCY })
  metrics.observeModelSlots(slots)
  const settings = {
    ...env,
    MODEL_TIMEOUT_SECONDS: timeoutSeconds,
    MODEL_SILENCE_SECONDS: Math.min(MAX_SILENCE_SECONDS, env.MODEL_SILENCE_SECONDS),
  }
  const ctx = { ...base, spending: selectSpending(env, metrics) }
  const chat = createChat({
    model: openModel(settings, { gate: withinTime(slots), monitor: metrics.model, log: ctx.log }),
    limits: promptLimitsOf(env),
    countDropped: metrics.chat.countDropped,
  })
  const chatPolicy = { dailyQuestions: env.CHAT_DAILY_MESSAGES, leaseSeconds: LEASE_SECONDS }
  return {
    parts: { chatPolicy, answers: createAnswerWriter({ ...ctx, chatPolicy, chat }, metrics.chat) },
    close: () => slots.close(),
  }
}

/** How long an answer waits for running calls whose reservations leave too little for it. Someone is waiting for it. */
const SPENDING_PATIENCE_MS = 2_000

const selectSpending = (env: ApiEnv, { countSpendingRefused }: ApiMetrics): WriterContext['spending'] =>
  selectPricing(env) === 'free'
    ? null
    : {
        dailyLimitUsd: env.DAILY_SPEND_LIMIT_USD ?? null,
        patienceMs: SPENDING_PATIENCE_MS,
        countRefused: countSpendingRefused,
      }

/** Returns a gate at which callers do not wait for long: the model then counts as unavailable. */
const withinTime = (gate: CallGate): CallGate => ({
  async acquire(signal) {
    const timeout = AbortSignal.timeout(MAX_WAIT_FOR_SLOT_MS)
    try {
      return await gate.acquire(AbortSignal.any([signal, timeout]))
    } catch (error) {
      if (signal.aborted || !timeout.aborted) throw error
      throw new ServiceError('SUMMARY_UNAVAILABLE', { cause: error })
    }
  },
})
