import { z } from 'zod'
import { SUMMARY_MODES, type SummaryMode } from './vocabulary.ts'

/**
 * What only some plans include, besides summary modes: by the name in `details.feature` of `PLAN_UPGRADE_REQUIRED`, with
 * the words of the guide. Null keeps a feature out of the guide until it works.
 */
export const FEATURES = {
  api_keys: 'API keys',
  priority: 'high priority',
  webhooks: 'webhooks',
  custom_instructions: 'custom instructions',
  batches: 'batches',
  infographics: 'infographics',
  pdf_export: 'PDF export',
  chat: 'chat',
  built_in_templates: 'built-in templates',
  templates: 'templates of your own',
  subscriptions: 'subscriptions and feeds',
} as const satisfies Record<string, string | null>
export type Feature = keyof typeof FEATURES

/** Videos per UTC day and per calendar month. */
export interface Quota {
  daily: number
  monthly: number
}

export interface PlanDefinition {
  /** Order of the plans: a plan includes everything that the plans of lower rank include. */
  rank: number
  displayName: string
  /** Default of the plan in the setting `PLAN_QUOTAS`. */
  quota: Quota
  /** Default of the setting `RATE_LIMIT_<PLAN>`. */
  requestsPerHour: number
  summaryModes: readonly SummaryMode[]
  features: readonly Feature[]
}

/**
 * Everything in which the plans differ. To add a plan, add it here and to the database's type `plan` (`prisma/schema.prisma` and a
 * migration), then run `npm run generate`.
 */
export const PLANS = {
  free: {
    rank: 1,
    displayName: 'Free',
    quota: { daily: 3, monthly: 3 },
    requestsPerHour: 60,
    summaryModes: ['tldr'],
    features: [],
  },
  plus: {
    rank: 2,
    displayName: 'Plus',
    quota: { daily: 10, monthly: 50 },
    requestsPerHour: 300,
    summaryModes: SUMMARY_MODES,
    features: ['api_keys', 'built_in_templates'],
  },
  pro: {
    rank: 3,
    displayName: 'Pro',
    quota: { daily: 30, monthly: 200 },
    requestsPerHour: 3_000,
    summaryModes: SUMMARY_MODES,
    features: [
      'api_keys',
      'priority',
      'webhooks',
      'custom_instructions',
      'batches',
      'pdf_export',
      'infographics',
      'chat',
      'built_in_templates',
      'templates',
      'subscriptions',
    ],
  },
} as const satisfies Record<string, PlanDefinition>

export type Plan = keyof typeof PLANS

const isPlan = (name: string): name is Plan => name in PLANS

/** The plans in ascending order of rank. */
export const PLAN_NAMES = Object.keys(PLANS)
  .filter(isPlan)
  .sort((a, b) => PLANS[a].rank - PLANS[b].rank)
export const Plan = z.enum(PLAN_NAMES).meta({ id: 'Plan' })

/** Returns a record with a value for every plan. */
export const byPlan = <T>(pick: (plan: Plan) => T): Record<Plan, T> =>
  Object.fromEntries(PLAN_NAMES.map((plan) => [plan, pick(plan)])) as Record<Plan, T>

/** The quotas of an installation; null: unlimited. */
export type PlanQuotas = Record<Plan, Quota | null>
export const DEFAULT_QUOTAS: PlanQuotas = byPlan((plan) => PLANS[plan].quota)

/** Returns the highest of the plans; the lowest plan there is when the list is empty. */
export const highestPlan = (plans: readonly Plan[]): Plan =>
  plans.reduce(
    (highest, plan) => (PLANS[plan].rank > PLANS[highest].rank ? plan : highest),
    lowestPlan(() => true),
  )

/** Returns the lowest plan that meets the condition; the highest plan there is when none does. */
export function lowestPlan(meets: (plan: PlanDefinition) => boolean): Plan {
  return PLAN_NAMES.find((plan) => meets(PLANS[plan])) ?? highestPlan(PLAN_NAMES)
}

export const includesFeature =
  (feature: Feature) =>
  ({ features }: PlanDefinition): boolean =>
    features.includes(feature)

const hasAllModes = ({ summaryModes }: PlanDefinition): boolean => summaryModes.length === SUMMARY_MODES.length

/** The summary modes of the plans that do not include all of them, for the OpenAPI document. */
export const MODE_RESTRICTIONS = PLAN_NAMES.map((name) => PLANS[name])
  .filter((plan: PlanDefinition) => !hasAllModes(plan))
  .map(({ displayName, summaryModes }) => `The ${displayName} plan includes only \`${summaryModes.join('`, `')}\`.`)
  .join(' ')

/** Returns the lowest plan with the feature. */
export const planFor = (feature: Feature): Plan => lowestPlan(includesFeature(feature))

/** Returns its displayed name. */
export const namePlanFor = (feature: Feature): string => PLANS[planFor(feature)].displayName

/** Returns the displayed name of the lowest plan with the summary mode. */
export const namePlanForMode = (mode: SummaryMode): string =>
  PLANS[lowestPlan(({ summaryModes }) => summaryModes.includes(mode))].displayName

/** Returns a sentence for the OpenAPI document that names the lowest plan with the feature. */
export const requiresPlanFor = (feature: Feature): string => `Requires the ${namePlanFor(feature)} plan.`
