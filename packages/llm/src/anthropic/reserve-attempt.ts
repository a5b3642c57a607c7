import { APIConnectionError, APIError } from '@anthropic-ai/sdk'
import type { CostReservation } from '@subtext/contracts'
import { boundTokens } from '../estimate-tokens.ts'
import type { ComputeMaxCostUsd } from '../model-prices.ts'
import type { TextModelAnswer, TextModelCall } from '../text-model.ts'
import { findNetworkCode } from './describe-failure.ts'
import type { Dialect } from './dialect.ts'
import { writeInstruction } from './send-call.ts'

/** Tokens that a server may add: marks of roles, and what tells the model to follow a schema. */
const MARGIN_TOKENS = 1_000

/** Sets the highest possible cost of an attempt aside. Undefined if it costs nothing, or if nobody asked for it. */
export async function reserveAttempt(
  call: TextModelCall,
  dialect: Dialect,
  { model, computeMaxCostUsd }: { model: string; computeMaxCostUsd: ComputeMaxCostUsd },
): Promise<CostReservation | undefined> {
  if (!call.reserve) return undefined
  const { system, document, schema, turns = [], cacheDocument, maxOutputTokens: outputTokens } = call
  const texts = [system, document, writeInstruction(call, dialect), ...turns.map(({ text }) => text)]
  if (schema && dialect.schema) texts.push(JSON.stringify(schema))
  const promptTokens = texts.reduce((sum, text) => sum + boundTokens(text), MARGIN_TOKENS)
  const maxCostUsd = computeMaxCostUsd(model, { promptTokens, outputTokens, cacheDocument })
  return maxCostUsd === 0 ? undefined : call.reserve(maxCostUsd)
}

/** Codes of connections over which nothing was sent. */
const NEVER_CONNECTED = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
/** Statuses with which something on the way gives up, while the provider may go on and bill the call. */
const GIVEN_UP = new Set([408, 499, 502, 504])

/** Returns whether an attempt that failed before its answer began has certainly cost nothing. */
export const isUnbilled = (error: unknown): boolean =>
  error instanceof APIConnectionError
    ? NEVER_CONNECTED.has(findNetworkCode(error))
    : error instanceof APIError && error.status !== undefined && !GIVEN_UP.has(error.status)

/** Returns whether an answer says what it has cost. A server that does not count tokens reports zeros. */
export function isCounted({ text, stop, usage }: TextModelAnswer): boolean {
  if (stop === 'too-long') return true
  const promptTokens = usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens
  return promptTokens > 0 && (usage.outputTokens > 0 || text === '')
}
