import { PLAN_NAMES, type Plan, type ServiceError, SUMMARY_MODES, SubmitVideo } from '@subtext/contracts'
import type { Actor } from '../context.ts'
import { findBatchViolations, findViolations, refuseViolations } from './gates.ts'

const request = (fields: Record<string, unknown> = {}): SubmitVideo =>
  SubmitVideo.parse({ url: 'https://youtu.be/dQw4w9WgXcQ', ...fields })
const actor = (plan: Plan, scopes: Actor['scopes'] = ['read', 'write']): Actor => ({
  userId: 'u',
  apiKeyId: 'k',
  plan,
  scopes,
})

/** What each plan includes: name, request, feature, lowest plan. */
const MATRIX: [string, Record<string, unknown>, string | null, Plan][] = [
  ['the default', {}, null, 'free'],
  ['tldr', { options: { summary_modes: ['tldr'] } }, null, 'free'],
  ...SUMMARY_MODES.filter((mode) => mode !== 'tldr').map((mode): [string, Record<string, unknown>, string, Plan] => [
    mode,
    { options: { summary_modes: [mode] } },
    'summary_modes',
    'plus',
  ]),
  ['all modes', { options: { summary_modes: [...SUMMARY_MODES] } }, 'summary_modes', 'plus'],
  ['normal priority', { priority: 'normal' }, null, 'free'],
  ['high priority', { priority: 'high' }, 'priority', 'pro'],
  ['a webhook', { webhook_url: 'https://example.org/' }, 'webhooks', 'pro'],
  ['instructions', { custom_instructions: 'x' }, 'custom_instructions', 'pro'],
  ['an infographic', { options: { generate_infographic: true } }, 'infographics', 'pro'],
  ['no infographic', { options: { generate_infographic: false } }, null, 'free'],
  ['a language', { options: { language: 'de' } }, null, 'free'],
  ['a refresh', { force_refresh: true }, null, 'free'],
]
const cases = MATRIX.flatMap(([name, fields, feature, lowest]) =>
  PLAN_NAMES.map((plan) => ({
    name,
    fields,
    feature,
    lowest,
    plan,
    allowed: PLAN_NAMES.indexOf(plan) >= PLAN_NAMES.indexOf(lowest),
  })),
)

test.each(cases)('the plan $plan includes $name: $allowed', ({ fields, feature, lowest, plan, allowed }) => {
  const violations = findViolations(actor(plan), request(fields))
  if (allowed) return expect(violations).toEqual([])
  expect(violations).toEqual([{ feature, field: expect.any(String), required_plan: lowest }])
})

test.each(MATRIX)('allows an admin on the lowest plan to use %s', (_, fields) => {
  expect(findViolations(actor('free', ['admin']), request(fields))).toEqual([])
})

test('lists all violations at once, with the plan that resolves all of them', () => {
  const everything = request({
    priority: 'high',
    webhook_url: 'https://example.org/',
    custom_instructions: 'x',
    options: { summary_modes: ['detailed'], generate_infographic: true },
  })
  let refusal: ServiceError | undefined
  try {
    refuseViolations(actor('free'), findViolations(actor('free'), everything))
  } catch (error) {
    refusal = error as ServiceError
  }
  expect(refusal).toMatchObject({ code: 'PLAN_UPGRADE_REQUIRED', status: 403, retryable: false })
  expect(refusal?.message).toBe(
    'The Free plan does not include all of these summary modes, high priority, webhooks, custom instructions, or infographics. Upgrade to the Pro plan.',
  )
  expect(refusal?.details).toEqual({
    feature: 'summary_modes',
    current_plan: 'free',
    required_plan: 'pro',
    violations: [
      { feature: 'summary_modes', field: 'options.summary_modes', required_plan: 'plus' },
      { feature: 'priority', field: 'priority', required_plan: 'pro' },
      { feature: 'webhooks', field: 'webhook_url', required_plan: 'pro' },
      { feature: 'custom_instructions', field: 'custom_instructions', required_plan: 'pro' },
      { feature: 'infographics', field: 'options.generate_infographic', required_plan: 'pro' },
    ],
  })
})

test('refuses nothing without violations', () => {
  expect(() => refuseViolations(actor('free'), [])).not.toThrow()
})

describe('findBatchViolations', () => {
  const violationsOf = (plan: Plan, request: Parameters<typeof findBatchViolations>[1]) =>
    findBatchViolations(actor(plan), request)
  const entry = (index: number, overrides: object = {}) => ({
    options: SubmitVideo.parse({ url: 'x' }).options,
    fieldAt: (field: string) => `videos.${index}.${field}`,
    ...overrides,
  })

  test('allows a batch with every feature on pro, and refuses any batch on lower plans', () => {
    expect(violationsOf('pro', { entries: [entry(0, { custom_instructions: 'x' })], webhook_url: 'x' })).toEqual([])
    expect(findBatchViolations(actor('free', ['admin']), { entries: [entry(0)], webhook_url: 'x' })).toEqual([])
    for (const plan of ['free', 'plus'] as const) {
      expect(violationsOf(plan, { entries: [entry(0)] })).toEqual([{ feature: 'batches', required_plan: 'pro' }])
    }
  })

  test('names the path of every violation in the entries', () => {
    const options = { ...entry(0).options, summary_modes: ['detailed' as const], generate_infographic: true }
    const entries = [entry(0), entry(1, { options }), entry(2, { webhook_url: 'x', custom_instructions: 'x' })]
    expect(violationsOf('free', { entries, webhook_url: 'x' })).toEqual([
      { feature: 'batches', required_plan: 'pro' },
      { feature: 'webhooks', field: 'webhook_url', required_plan: 'pro' },
      { feature: 'summary_modes', field: 'videos.1.options.summary_modes', required_plan: 'plus' },
      { feature: 'infographics', field: 'videos.1.options.generate_infographic', required_plan: 'pro' },
      { feature: 'webhooks', field: 'videos.2.webhook_url', required_plan: 'pro' },
      { feature: 'custom_instructions', field: 'videos.2.custom_instructions', required_plan: 'pro' },
    ])
  })
})
