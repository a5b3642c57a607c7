import { z } from 'zod'
import { SUMMARY_MODES, type SummaryMode } from './vocabulary.ts'

export const PLANS = ['free', 'plus', 'pro'] as const
export const Plan = z.enum(PLANS)
export type Plan = z.infer<typeof Plan>

export interface PlanTerms {
  summaryModes: readonly SummaryMode[]
  apiKeys: boolean
  webhooks: boolean
  customInstructions: boolean
  highPriority: boolean
  infographics: boolean
  batches: boolean
  /** Videos a period; periods are UTC days and calendar months. */
  quota: { daily: number; monthly: number }
}

/** The whole difference between the plans. Source: the tables "Plan gates" and "Limits" of the interface specification. */
export const PLAN_TERMS: Record<Plan, PlanTerms> = {
  free: {
    summaryModes: ['tldr'],
    apiKeys: false,
    webhooks: false,
    customInstructions: false,
    highPriority: false,
    infographics: false,
    batches: false,
    quota: { daily: 3, monthly: 3 },
  },
  plus: {
    summaryModes: SUMMARY_MODES,
    apiKeys: true,
    webhooks: false,
    customInstructions: false,
    highPriority: false,
    infographics: false,
    batches: false,
    quota: { daily: 10, monthly: 50 },
  },
  pro: {
    summaryModes: SUMMARY_MODES,
    apiKeys: true,
    webhooks: true,
    customInstructions: true,
    highPriority: true,
    infographics: true,
    batches: true,
    quota: { daily: 30, monthly: 200 },
  },
}
