export { createCostEstimator, type EstimateCosts } from './costs.ts'
export { type EstimateContext, estimateBatch, estimateVideo } from './estimate.ts'
export type { SummaryOutlook } from './outlook.ts'
