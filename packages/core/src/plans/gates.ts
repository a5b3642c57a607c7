import { PLAN_TERMS, PLANS, type Plan, type PlanTerms, ServiceError, type SubmitVideo } from '@subtext/contracts'
import { type Actor, isAdmin } from '../context.ts'

/** What of a submission may be beyond a plan. */
type GatedRequest = Pick<SubmitVideo, 'options'> &
  Partial<Pick<SubmitVideo, 'priority' | 'webhook_url' | 'custom_instructions'>>

interface Gate {
  feature: string
  /** Field of the request that asks for the feature. */
  field: string
  uses(request: GatedRequest): boolean
  included(terms: PlanTerms, request: GatedRequest): boolean
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
export function findViolations(plan: Plan, request: GatedRequest): Violation[] {
  return GATES.filter((gate) => gate.uses(request) && !gate.included(PLAN_TERMS[plan], request)).map((gate) => ({
    feature: gate.feature,
    field: gate.field,
    required_plan: PLANS.find((candidate) => gate.included(PLAN_TERMS[candidate], request)) ?? 'pro',
  }))
}

/** Throws `PLAN_UPGRADE_REQUIRED` that names all violations at once. */
export function assertPlanAllows(actor: Actor, request: GatedRequest): void {
  if (!isAdmin(actor)) refuseAll(actor.plan, findViolations(actor.plan, request))
}

/** As `assertPlanAllows`, for requests that are about webhooks alone. */
export function assertWebhooksIncluded(actor: Actor): void {
  if (!isAdmin(actor)) refuseAll(actor.plan, findMissing(actor.plan, 'webhooks'))
}

/** An entry of a batch; `fieldAt` names the place of its fields in the request. */
interface GatedEntry extends GatedRequest {
  fieldAt: (field: string) => string
}

/** As `assertPlanAllows`, for a batch and everything in its entries. */
export function assertPlanAllowsBatch(
  actor: Actor,
  { webhook_url, entries }: { webhook_url?: string | undefined; entries: GatedEntry[] },
): void {
  if (isAdmin(actor)) return
  const { plan } = actor
  refuseAll(plan, [
    ...findMissing(plan, 'batches'),
    ...(webhook_url === undefined ? [] : findMissing(plan, 'webhooks', 'webhook_url')),
    ...entries.flatMap(({ fieldAt, ...entry }) =>
      findViolations(plan, entry).map(({ field = '', ...violation }) => ({ ...violation, field: fieldAt(field) })),
    ),
  ])
}

/** The violation of a plan that lacks a feature as such. */
function findMissing(plan: Plan, feature: 'batches' | 'webhooks', field?: string): Violation[] {
  if (PLAN_TERMS[plan][feature]) return []
  const required = PLANS.find((candidate) => PLAN_TERMS[candidate][feature]) ?? 'pro'
  return [{ feature, ...(field && { field }), required_plan: required }]
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
