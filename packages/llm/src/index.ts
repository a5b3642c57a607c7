export { createAnthropicModel } from './anthropic/anthropic-model.ts'
export { type ModelReport, probeModel, type Support } from './anthropic/probe-model.ts'
export { type Bill, type BilledUsage, createBill } from './bill.ts'
export type { CallGate, CallOutcome } from './call-gate.ts'
export { ASCII_PER_TOKEN, estimateTokens, TOKENS_PER_OTHER } from './estimate-tokens.ts'
export { isRejected, ModelCallError } from './failures.ts'
export { type ComputeCostUsd, createCostComputer, type ModelPrices } from './model-prices.ts'
export { type CreateModelMonitor, createModelMetrics } from './monitor.ts'
export { openModel, type PricedModel } from './open-model.ts'
export { withoutCacheReads } from './own-cache.ts'
export { extractJson } from './plain-json.ts'
export type {
  CacheDuration,
  TextModel,
  TextModelAnswer,
  TextModelCall,
  TextModelPrompt,
  TextModelTurn,
  TextModelUsage,
} from './text-model.ts'
