import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { Plan } from '../plans.ts'
import { queryInteger } from '../query-values.ts'
import { text } from '../text.ts'
import { MAX_OFFSET, MAX_PAGE_SIZE, Pagination } from './list.ts'
import { OperatedAccount } from './operations.ts'
import { QuotaStatus } from './usage.ts'

/** How long a link that an operator creates works. */
export const SIGN_IN_LINK_MINUTES = 15
/** How long an operator sees an account with one link. */
export const MAX_SUPPORT_MINUTES = 60
const MAX_REASON_LENGTH = 500
const MAX_VIDEOS = 1_000_000_000

/** What operators do, as it is recorded. */
export const OPERATOR_ACTIONS = [
  'create_first_owner',
  'create_owner_link',
  'create_support_link',
  'change_account',
  'suspend_account',
  'restore_account',
  'delete_account',
  'set_operator',
  'invite',
  'create_key',
  'change_key',
  'rotate_webhook_secret',
] as const
export const OperatorActionName = z.enum(OPERATOR_ACTIONS).meta({ id: 'OperatorActionName' })
export type OperatorActionName = z.infer<typeof OperatorActionName>

const NO_QUERY = z.strictObject({})
const AccountParams = z.object({ account_id: z.string() })
const time = z.iso.datetime()
const count = z.int().min(0)
const reason = z
  .string()
  .trim()
  .pipe(text(MAX_REASON_LENGTH, 1))
  .optional()
  .meta({ description: 'Why. It is recorded, and the owner finds it in the export of the account.' })

const ownQuota = (period: string) =>
  z
    .int()
    .min(0)
    .max(MAX_VIDEOS)
    .nullable()
    .optional()
    .meta({ description: `Videos per ${period}. Null: as the plan says. Without the field, it stays as it is.` })

const OwnQuotas = z
  .object({ daily: count.nullable(), monthly: count.nullable() })
  .meta({ id: 'OwnQuotas', description: 'Quotas that an operator has given the account. Null: as its plan says.' })

export const OperatedAccountDetails = OperatedAccount.extend({
  suspended_for: z.string().nullable().meta({ description: 'The reason for the suspension, if one was given.' }),
  quotas: z.object({ daily: QuotaStatus, monthly: QuotaStatus }),
  own_quotas: OwnQuotas,
  jobs_unfinished: count.meta({ description: 'Jobs that wait or run. At most 10,000 are counted.' }),
  sessions: count.meta({ description: 'Browsers in which someone is signed in.' }),
  connected_apps: count,
}).meta({ id: 'OperatedAccountDetails' })
export type OperatedAccountDetails = z.infer<typeof OperatedAccountDetails>

const AccountChange = z
  .strictObject({
    plan: Plan.optional(),
    quotas: z.strictObject({ daily: ownQuota('UTC day'), monthly: ownQuota('calendar month') }).optional(),
  })
  .meta({ id: 'OperatedAccountUpdate' })

export const OperatorAction = z
  .object({
    id: z.uuid(),
    action: OperatorActionName,
    operator_id: z.uuid().nullable().meta({ description: 'The account of the operator. Null for a command.' }),
    operator_email: z.string().nullable().meta({ description: 'Null for a command, and if that account was deleted.' }),
    command_by: z.string().nullable().meta({ description: 'User and machine, if it was an admin command.' }),
    account_id: z.uuid().nullable().meta({ description: 'The account that it was done to. Null if there was none.' }),
    account_email: z.string().nullable().meta({ description: 'Null if that account was deleted.' }),
    details: z.record(z.string(), z.unknown()).meta({ description: 'What changed, and why.' }),
    created_at: time,
  })
  .meta({ id: 'OperatorAction' })
export type OperatorAction = z.infer<typeof OperatorAction>

export const operatedAccounts = {
  account: defineRoute({
    method: 'get',
    path: '/operations/accounts/{account_id}',
    operationId: 'getOperatedAccount',
    summary: 'An account',
    description: 'With its quotas, its keys, and whether it is suspended.',
    access: 'session',
    operatorOnly: true,
    params: AccountParams,
    query: NO_QUERY,
    response: OperatedAccountDetails,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  update: defineRoute({
    method: 'patch',
    path: '/operations/accounts/{account_id}',
    operationId: 'updateOperatedAccount',
    summary: 'Change the plan or the quotas of an account',
    description: 'Takes effect within a second. Quotas of its own stay when the plan changes.',
    access: 'session',
    operatorOnly: true,
    params: AccountParams,
    query: NO_QUERY,
    body: AccountChange,
    response: OperatedAccountDetails,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    example: { body: { plan: 'pro', quotas: { daily: 100 } } },
  }),
  suspend: defineRoute({
    method: 'post',
    path: '/operations/accounts/{account_id}/suspend',
    operationId: 'suspendAccount',
    summary: 'Suspend an account',
    description:
      'Within a second, its sessions end, its API keys, connected applications and links are refused, its deliveries stop, and no job of it is accepted. Jobs that were accepted are processed. Signing in says that the account is suspended. You cannot suspend your own account.',
    access: 'session',
    operatorOnly: true,
    params: AccountParams,
    query: NO_QUERY,
    body: z.strictObject({ reason }).meta({ id: 'AccountSuspension' }),
    response: OperatedAccountDetails,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    example: { body: { reason: 'Invoice 2026-114 is unpaid.' } },
  }),
  restore: defineRoute({
    method: 'post',
    path: '/operations/accounts/{account_id}/restore',
    operationId: 'restoreAccount',
    summary: 'Restore a suspended account',
    description:
      'Its keys and connected applications work again within a second. Its people sign in again, and deliveries that were skipped can be sent again.',
    access: 'session',
    operatorOnly: true,
    params: AccountParams,
    query: NO_QUERY,
    response: OperatedAccountDetails,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/operations/accounts/{account_id}',
    operationId: 'deleteOperatedAccount',
    summary: 'Delete an account',
    description:
      'Deletes the account with its keys, sessions, jobs, results and webhook log, as its owner can. It cannot be undone. You cannot delete your own account here.',
    access: 'session',
    operatorOnly: true,
    recentSignIn: true,
    params: AccountParams,
    query: NO_QUERY,
    body: z
      .strictObject({ confirm: z.string().max(320).meta({ description: 'The email address of the account.' }) })
      .meta({ id: 'OperatedAccountDeletion' }),
    response: z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedOperatedAccount' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    example: { body: { confirm: 'bo@example.org' } },
  }),
  signInLink: defineRoute({
    method: 'post',
    path: '/operations/accounts/{account_id}/sign-in-link',
    operationId: 'createSupportLink',
    summary: 'Create a link to see an account for support',
    description: `The link works once, for ${SIGN_IN_LINK_MINUTES} minutes, and its session lasts ${MAX_SUPPORT_MINUTES} minutes. In it, you see what the owner sees, can change nothing, and are no operator. It is recorded, and the owner sees the session.`,
    access: 'session',
    operatorOnly: true,
    recentSignIn: true,
    params: AccountParams,
    query: NO_QUERY,
    body: z.strictObject({ reason }).meta({ id: 'SupportRequest' }),
    response: z
      .object({ url: z.url().meta({ description: 'It is shown only in this response.' }), expires_at: time })
      .meta({ id: 'SupportLink' }),
    status: 201,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    example: { body: { reason: 'Ticket 4711: the owner sees no results.' } },
  }),
  actions: defineRoute({
    method: 'get',
    path: '/operations/actions',
    operationId: 'listOperatorActions',
    summary: 'What operators did',
    description:
      'Newest first: who did what, when, and to which account, in the dashboard, through the API and with admin commands.',
    access: 'session',
    operatorOnly: true,
    query: z.strictObject({
      limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number of actions per page.' }),
      offset: queryInteger(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Number of newest actions to skip. Cannot be combined with `cursor`.' }),
      account_id: z.uuid().optional().meta({ description: 'Lists only what was done to this account.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
    }),
    response: z.object({ actions: z.array(OperatorAction), pagination: Pagination }).meta({ id: 'OperatorActionList' }),
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
