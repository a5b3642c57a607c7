import {
  FEATURES,
  type Feature,
  highestPlan,
  includesFeature,
  isBuiltIn,
  lowestPlan,
  PLANS,
  type Plan,
  type PlanDefinition,
  planFor,
  ServiceError,
  type SubmitVideo,
} from '@subtext/contracts'
import { type Actor, isAdmin } from '../context.ts'

/** The parts of a submission that a plan may not include. */
type GatedRequest = Pick<SubmitVideo, 'options'> &
  Partial<Pick<SubmitVideo, 'priority' | 'webhook_url' | 'custom_instructions'>> & {
    /** Returns the path of a field in the request as it was sent, given its path in a submission. Default: the same. */
    fieldAt?: (field: string) => string
  }

const namesOf = ({ options: { templates = [] } }: GatedRequest): string[] =>
  templates.map((reference) => reference.split('@')[0] ?? '')

interface Gate {
  feature: Violation['feature']
  /** Field of the request that uses the feature. */
  field: string
  uses(request: GatedRequest): boolean
  isIncluded(plan: PlanDefinition, request: GatedRequest): boolean
}

const featureGate = (feature: Feature, field: string, uses: Gate['uses']): Gate => ({
  feature,
  field,
  uses,
  isIncluded: includesFeature(feature),
})

const GATES: Gate[] = [
  {
    feature: 'summary_modes',
    field: 'options.summary_modes',
    uses: () => true,
    isIncluded: (plan, request) => request.options.summary_modes.every((mode) => plan.summaryModes.includes(mode)),
  },
  featureGate('priority', 'priority', (request) => request.priority === 'high'),
  featureGate('webhooks', 'webhook_url', (request) => request.webhook_url !== undefined),
  featureGate('custom_instructions', 'custom_instructions', (request) => request.custom_instructions !== undefined),
  featureGate('infographics', 'options.generate_infographic', (request) => request.options.generate_infographic),
  featureGate('built_in_templates', 'options.templates', (request) => namesOf(request).some(isBuiltIn)),
  featureGate('templates', 'options.templates', (request) => namesOf(request).some((name) => !isBuiltIn(name))),
]

export interface Violation {
  feature: Feature | 'summary_modes'
  /** Absent if the request as a whole needs the feature. */
  field?: string
  required_plan: Plan
}

/** Finds everything in the request that the actor's plan does not include, each with the lowest plan that does. */
export function findViolations(actor: Actor, request: GatedRequest): Violation[] {
  if (isAdmin(actor)) return []
  const { fieldAt = (field) => field } = request
  const missing = GATES.filter((gate) => gate.uses(request) && !gate.isIncluded(PLANS[actor.plan], request))
  return missing.map((gate) => ({
    feature: gate.feature,
    field: fieldAt(gate.field),
    required_plan: lowestPlan((candidate) => gate.isIncluded(candidate, request)),
  }))
}

/** Like `findViolations`, for a batch and all of its entries. */
export function findBatchViolations(
  actor: Actor,
  { webhook_url, entries }: { webhook_url?: string | undefined; entries: GatedRequest[] },
): Violation[] {
  return [
    ...findMissing(actor, 'batches'),
    ...(webhook_url === undefined ? [] : findMissing(actor, 'webhooks', 'webhook_url')),
    ...entries.flatMap((entry) => findViolations(actor, entry)),
  ]
}

/** Throws `PLAN_UPGRADE_REQUIRED` for requests that are only about webhooks. */
export const assertWebhooksIncluded = (actor: Actor): void => refuseViolations(actor, findMissing(actor, 'webhooks'))

/** Throws `PLAN_UPGRADE_REQUIRED` for the creation of API keys. */
export const assertKeysIncluded = (actor: Actor): void => refuseViolations(actor, findMissing(actor, 'api_keys'))

/** Throws `PLAN_UPGRADE_REQUIRED` for questions about a video. */
export const assertChatIncluded = (actor: Actor): void => refuseViolations(actor, findMissing(actor, 'chat'))

/** Throws `PLAN_UPGRADE_REQUIRED` for templates of the account. */
export const assertTemplatesIncluded = (actor: Actor): void => refuseViolations(actor, findMissing(actor, 'templates'))
/** Returns whether the plan includes subscriptions and feeds. */
export const hasSubscriptions = (actor: PlanHolder): boolean => findMissing(actor, 'subscriptions').length === 0

/** Throws `PLAN_UPGRADE_REQUIRED` if the plan does not include subscriptions and feeds. */
export const assertSubscriptionsIncluded = (actor: Actor): void =>
  refuseViolations(actor, findMissing(actor, 'subscriptions'))

/** Throws `PLAN_UPGRADE_REQUIRED` for what is made of a batch. */
export const assertBatchesIncluded = (actor: Actor): void => refuseViolations(actor, findMissing(actor, 'batches'))

/** Throws `PLAN_UPGRADE_REQUIRED` if the plan does not include PDF export. */
export const assertPdfIncluded = (actor: Actor): void => refuseViolations(actor, findMissing(actor, 'pdf_export'))

/** Whose plan counts. */
type PlanHolder = Pick<Actor, 'plan' | 'scopes'>

/** Returns the violation if the actor's plan lacks the feature altogether. */
function findMissing(actor: PlanHolder, feature: Feature, field?: string): Violation[] {
  if (isAdmin(actor) || includesFeature(feature)(PLANS[actor.plan])) return []
  return [{ feature, ...(field && { field }), required_plan: planFor(feature) }]
}

const nameFeature = ({ feature }: Violation): string =>
  feature === 'summary_modes' ? 'all of these summary modes' : FEATURES[feature]

const ANY_OF = new Intl.ListFormat('en', { type: 'disjunction' })

function describeRefusal(current: Plan, required: Plan, violations: Violation[]): string {
  const features = ANY_OF.format(new Set(violations.map(nameFeature)))
  const [plan, other] = [current, required].map((name) => PLANS[name].displayName)
  return `The ${plan} plan does not include ${features}. Upgrade to the ${other} plan.`
}

/** Throws one `PLAN_UPGRADE_REQUIRED` that lists all violations, if there are any. */
export function refuseViolations({ plan }: Pick<Actor, 'plan'>, violations: Violation[]): void {
  const [first] = violations
  if (!first) return
  const required = highestPlan(violations.map((violation) => violation.required_plan))
  throw new ServiceError('PLAN_UPGRADE_REQUIRED', {
    message: describeRefusal(plan, required, violations),
    details: {
      feature: first.feature,
      current_plan: plan,
      required_plan: required,
      violations,
    },
  })
}
