import { PLAN_TERMS, PLANS, type Plan, type PlanTerms, ServiceError, type SubmitVideo } from '@subtext/contracts'
import { type Actor, isAdmin } from '../context.ts'

interface Gate {
  feature: string
  /** Field of the request that asks for the feature. */
  field: string
  uses(request: SubmitVideo): boolean
  included(terms: PlanTerms, request: SubmitVideo): boolean
}

const GATES: Gate[] = [
  {
    feature: 'summary_modes',
    field: 'options.summary_modes',
    uses: () => true,
    included: (terms, request) => request.options.summary_modes.every((mode) => terms.summaryModes.includes(mode)),
  },
  {
    feature: 'priority',
    field: 'priority',
    uses: (request) => request.priority === 'high',
    included: (terms) => terms.highPriority,
  },
  {
    feature: 'webhooks',
    field: 'webhook_url',
    uses: (request) => request.webhook_url !== undefined,
    included: (terms) => terms.webhooks,
  },
  {
    feature: 'custom_instructions',
    field: 'custom_instructions',
    uses: (request) => request.custom_instructions !== undefined,
    included: (terms) => terms.customInstructions,
  },
  {
    feature: 'infographics',
    field: 'options.generate_infographic',
    uses: (request) => request.options.generate_infographic,
    included: (terms) => terms.infographics,
  },
]

export interface Violation {
  feature: string
  /** Absent where the request as a whole is for the feature. */
  field?: string
  required_plan: Plan
}

/** Everything in the request that the plan does not include, with the least plan that does. */
export function findViolations(plan: Plan, request: SubmitVideo): Violation[] {
  return GATES.filter((gate) => gate.uses(request) && !gate.included(PLAN_TERMS[plan], request)).map((gate) => ({
    feature: gate.feature,
    field: gate.field,
    required_plan: PLANS.find((candidate) => gate.included(PLAN_TERMS[candidate], request)) ?? 'pro',
  }))
}

/** Throws `PLAN_UPGRADE_REQUIRED` that names all violations at once. */
export function assertPlanAllows(actor: Actor, request: SubmitVideo): void {
  if (!isAdmin(actor)) refuseAll(actor.plan, findViolations(actor.plan, request))
}

/** As `assertPlanAllows`, for requests that are about webhooks alone. */
export function assertWebhooksIncluded(actor: Actor): void {
  if (isAdmin(actor) || PLAN_TERMS[actor.plan].webhooks) return
  const required = PLANS.find((plan) => PLAN_TERMS[plan].webhooks) ?? 'pro'
  refuseAll(actor.plan, [{ feature: 'webhooks', required_plan: required }])
}

function refuseAll(plan: Plan, violations: Violation[]): void {
  const [first] = violations
  if (!first) return
  const required = violations.map((violation) => violation.required_plan)
  throw new ServiceError('PLAN_UPGRADE_REQUIRED', {
    details: {
      feature: first.feature,
      current_plan: plan,
      required_plan: PLANS.findLast((candidate) => required.includes(candidate)),
      violations,
    },
  })
}
