import { createProxiedFetch } from '@subtext/runtime'
import { createAnthropicModel } from './anthropic/anthropic-model.ts'
import type { CallGate } from './call-gate.ts'
import type { FailureLog } from './failure-reporter.ts'
import { type ComputeCostUsd, createCostComputer, createMaxCostComputer } from './model-prices.ts'
import type { CreateModelMonitor } from './monitor.ts'
import type { ModelEnv } from './settings.ts'
import type { TextModel } from './text-model.ts'

interface ModelParts {
  gate: CallGate
  monitor: CreateModelMonitor
  log: FailureLog
}

export interface PricedModel {
  model: TextModel
  computeCostUsd: ComputeCostUsd
}

/** Opens the model that the settings name. Returns null if they name none. */
export function openModel(env: ModelEnv, { gate, monitor, log }: Partial<ModelParts> = {}): PricedModel | null {
  const { ANTHROPIC_API_KEY: apiKey, SUMMARY_MODEL: name } = env
  if (env.SUMMARIZER === 'extractive' || !apiKey) return null
  const computeCostUsd = createCostComputer(env.MODEL_PRICES)
  const model = createAnthropicModel({
    apiKey,
    baseUrl: env.ANTHROPIC_BASE_URL,
    fetch: createProxiedFetch(env),
    model: name,
    isCompatible: isCompatibleServer(env.ANTHROPIC_BASE_URL),
    contextTokens: env.MODEL_CONTEXT_TOKENS,
    timeoutMs: env.MODEL_TIMEOUT_SECONDS * 1_000,
    idleTimeoutMs: env.MODEL_SILENCE_SECONDS * 1_000,
    gate,
    computeMaxCostUsd: createMaxCostComputer(env.MODEL_PRICES),
    monitor: monitor?.(name, (usage) => computeCostUsd(name, usage)),
    log,
  })
  return { model, computeCostUsd }
}

const OWN_HOST = /(?:^|\.)anthropic\.com$/

/** Returns whether the address belongs to another server than the provider's own. */
const isCompatibleServer = (baseUrl: string | undefined): boolean =>
  baseUrl !== undefined && !OWN_HOST.test(new URL(baseUrl).hostname)
