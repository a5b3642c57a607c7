import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { byPlan, Plan } from '../plans.ts'
import { queryInteger } from '../query-values.ts'
import { LANES } from '../vocabulary.ts'
import { AccountKey } from './account.ts'
import { MAX_OFFSET, MAX_PAGE_SIZE, Pagination } from './list.ts'

/** Maximum number of failing endpoints that are shown. */
export const MAX_FAILING_ENDPOINTS = 100
/** Days of spending that are shown, including the current one. */
export const SPENDING_DAYS = 30

const count = z.int().min(0)
const seconds = (description: string) => z.number().min(0).meta({ description })
const usd = z.number().min(0).meta({ description: 'US dollars, to 6 decimals.' })
const time = z.iso.datetime()

const LaneDemand = z
  .object({
    lane: z.enum(LANES).meta({ id: 'Lane' }),
    waiting: count.meta({ description: 'Jobs that wait for a worker. Numbers above 10,000 are estimates.' }),
    running: count,
    oldest_waiting_seconds: seconds(
      'Age of the oldest waiting job; 0 if none is waiting. Jobs held back for others of their account do not count.',
    ),
  })
  .meta({ id: 'LaneDemand' })

const FailingEndpoint = z
  .object({
    account_id: z.uuid(),
    email: z.string(),
    url: z.string().meta({ description: 'Without its query.' }),
    failing_since: time.meta({ description: 'Every attempt since then has failed.' }),
    failed_events: count.meta({ description: 'Number of different events among the failures.' }),
    disabled_at: time
      .nullable()
      .meta({ description: 'When deliveries to it stopped. Null if they are still attempted.' }),
  })
  .meta({ id: 'FailingEndpoint' })

const ModelSpending = z
  .object({
    model: z.string(),
    cost_usd: usd,
    input_tokens: count,
    output_tokens: count,
    cached_input_tokens: count,
  })
  .meta({ id: 'ModelSpending' })

export const Operations = z
  .object({
    lanes: z.array(LaneDemand),
    webhooks: z.object({
      due: count.meta({ description: 'Deliveries whose next attempt is due. At most 10,000 of a kind are counted.' }),
      scheduled: count.meta({ description: 'Deliveries that wait for the time of their next attempt.' }),
      in_progress: count,
      oldest_due_seconds: seconds(
        'For how long the oldest delivery has been due that a further process could make; 0 if there is none.',
      ),
      failing_endpoints: z
        .array(FailingEndpoint)
        .max(MAX_FAILING_ENDPOINTS)
        .meta({ description: `The latest ${MAX_FAILING_ENDPOINTS} to fail, latest failure first.` }),
    }),
    spending: z.object({
      days: z
        .array(z.object({ date: z.iso.date(), videos: count, tokens: count, cost_usd: usd }))
        .length(SPENDING_DAYS)
        .meta({
          description: `The receipts of all accounts in the last ${SPENDING_DAYS} UTC days, newest first. A summary that several accounts requested is in the receipt of each, but was paid for once.`,
        }),
      models_last_hour: z
        .array(ModelSpending)
        .meta({ description: 'What was spent in the last 60 minutes, by model, largest cost first.' }),
    }),
    accounts: z.object({ total: count, by_plan: z.object(byPlan(() => count)) }),
    keys: z.object({ active: count, disabled: count, expired: count, revoked: count }),
  })
  .meta({ id: 'Operations' })
export type Operations = z.infer<typeof Operations>

export const OperatedAccount = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    plan: Plan,
    operator: z.boolean(),
    email_verified: z.boolean(),
    suspended_at: time.nullable().meta({ description: 'Null unless the account is suspended.' }),
    created_at: time,
    jobs_accepted: count.meta({ description: 'Jobs that still exist.' }),
    jobs_failed: count,
    keys: z.array(AccountKey).meta({ description: 'Keys that are not revoked, newest first; at most 25.' }),
  })
  .meta({ id: 'OperatedAccount' })
export type OperatedAccount = z.infer<typeof OperatedAccount>

export const operations = {
  overview: defineRoute({
    method: 'get',
    path: '/operations',
    operationId: 'getOperations',
    summary: 'Load and spending of the service',
    description:
      'How many jobs and deliveries wait and for how long, which endpoints fail, what language models cost, and how many accounts and keys there are.',
    access: 'session',
    operatorOnly: true,
    query: z.strictObject({}),
    response: Operations,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
  accounts: defineRoute({
    method: 'get',
    path: '/operations/accounts',
    operationId: 'listAccounts',
    summary: 'List all accounts',
    description: 'Newest first, with their keys.',
    access: 'session',
    operatorOnly: true,
    query: z.strictObject({
      limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number of accounts per page.' }),
      offset: queryInteger(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Number of newest accounts to skip. Cannot be combined with `cursor`.' }),
      email: z.string().max(320).optional().meta({ description: 'Lists only the account with this address.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
    }),
    response: z
      .object({ accounts: z.array(OperatedAccount), pagination: Pagination })
      .meta({ id: 'OperatedAccountList' }),
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
