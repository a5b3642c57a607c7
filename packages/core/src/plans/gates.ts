import {
  type Feature,
  highestPlan,
  includesFeature,
  lowestPlan,
  PLANS,
  type Plan,
  type PlanDefinition,
  ServiceError,
  type SubmitVideo,
} from '@subtext/contracts'
import { type Actor, isAdmin } from '../context.ts'

/** The parts of a submission that a plan may not include. */
type GatedRequest = Pick<SubmitVideo, 'options'> &
  Partial<Pick<SubmitVideo, 'priority' | 'webhook_url' | 'custom_instructions'>>

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
]

export interface Violation {
  feature: Feature | 'summary_modes'
  /** Absent if the request as a whole needs the feature. */
  field?: string
  required_plan: Plan
}

/** Finds everything in the request that the plan does not include, each with the lowest plan that does. */
export function findViolations(plan: Plan, request: GatedRequest): Violation[] {
  return GATES.filter((gate) => gate.uses(request) && !gate.isIncluded(PLANS[plan], request)).map((gate) => ({
    feature: gate.feature,
    field: gate.field,
    required_plan: lowestPlan((candidate) => gate.isIncluded(candidate, request)),
  }))
}

/** Throws one `PLAN_UPGRADE_REQUIRED` that lists all violations. */
export function assertPlanAllows(actor: Actor, request: GatedRequest): void {
  if (!isAdmin(actor)) refuseAll(actor.plan, findViolations(actor.plan, request))
}

/** Like `assertPlanAllows`, for requests that are only about webhooks. */
export function assertWebhooksIncluded(actor: Actor): void {
  if (!isAdmin(actor)) refuseAll(actor.plan, findMissing(actor.plan, 'webhooks'))
}

/** An entry of a batch; `fieldAt` returns the path of a field in the request. */
interface GatedEntry extends GatedRequest {
  fieldAt: (field: string) => string
}

/** Like `assertPlanAllows`, for a batch and all of its entries. */
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

/** Returns the violation if the plan lacks the feature altogether. */
function findMissing(plan: Plan, feature: Feature, field?: string): Violation[] {
  if (includesFeature(feature)(PLANS[plan])) return []
  return [{ feature, ...(field && { field }), required_plan: lowestPlan(includesFeature(feature)) }]
}

function refuseAll(plan: Plan, violations: Violation[]): void {
  const [first] = violations
  if (!first) return
  throw new ServiceError('PLAN_UPGRADE_REQUIRED', {
    details: {
      feature: first.feature,
      current_plan: plan,
      required_plan: highestPlan(violations.map((violation) => violation.required_plan)),
      violations,
    },
  })
}
