import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { FEATURES, type Feature, Plan, requiresPlanFor } from '../plans.ts'
import { sentTime } from '../sent-time.ts'
import { Scope, SummaryMode } from '../vocabulary.ts'
import { AccountUpdate, shortName } from './account-update.ts'
import { connectedApps } from './connected-apps.ts'
import { QuotaStatus } from './usage.ts'

/** API keys of an account that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS = 20
/** How long after a sign-in keys can be created, the webhook secret rotated, and the account deleted. */
export const RECENT_SIGN_IN_MINUTES = 10

const NO_QUERY = z.strictObject({})
const time = z.iso.datetime()

export const SIGN_IN_WAYS = ['password', 'magic_link', 'oidc', 'github', 'google'] as const
export const SignInWay = z.enum(SIGN_IN_WAYS).meta({ id: 'SignInWay' })
export type SignInWay = z.infer<typeof SignInWay>

export const Account = z
  .object({
    user: z.object({
      id: z.uuid(),
      email: z.string(),
      name: z.string().meta({ description: 'Empty if the person has not given one.' }),
      created_at: time,
      sign_in_ways: z.array(SignInWay).meta({
        description: 'Ways to sign in that have been set up. `magic_link` always works.',
      }),
    }),
    plan: Plan,
    operator: z
      .boolean()
      .meta({ description: 'Whether you are an operator of the service, to whom `/operations` is open.' }),
    features: z
      .array(z.enum(Object.keys(FEATURES) as [Feature, ...Feature[]]).meta({ id: 'Feature' }))
      .meta({ description: 'What the plan includes besides summary modes.' }),
    summary_modes: z.array(SummaryMode).meta({ description: 'The summary modes that the plan includes.' }),
    quotas: z.object({ daily: QuotaStatus, monthly: QuotaStatus }),
    time_zone: z.string().meta({ description: 'IANA name. Digests are sent at 07:00 there.' }),
    monthly_limit_usd: z.number().nullable().meta({
      description: 'What the language model may cost in a UTC month, in US dollars. Null if you have set no limit.',
    }),
    session: z.object({
      id: z.uuid(),
      support: z.boolean().meta({ description: 'Whether an operator sees your account for support in this session.' }),
      expires_at: time.meta({ description: 'Moves forward while the session is used.' }),
      recent_until: time.meta({
        description: `Until then, keys can be created, the webhook secret rotated and the account deleted without another sign-in. May be in the past.`,
      }),
    }),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

export const AccountKey = z
  .object({
    id: z.uuid(),
    name: z.string().nullable().meta({ description: 'Null for keys that an operator created.' }),
    prefix: z.string().meta({ description: 'The first characters of the key, by which you can recognize it.' }),
    last_four: z.string().meta({ description: 'The last characters of the key.' }),
    scopes: z.array(Scope),
    status: z.enum(['active', 'disabled', 'expired', 'revoked']).meta({ id: 'KeyStatus' }),
    created_at: time,
    expires_at: time.nullable().meta({ description: 'Null if it does not expire.' }),
    last_used_at: time.nullable().meta({ description: 'To the minute. Null if it has not been used.' }),
  })
  .meta({ id: 'AccountKey' })
export type AccountKey = z.infer<typeof AccountKey>

export const CreatedKey = AccountKey.extend({
  key: z.string().meta({ description: '`sk_` and 64 hexadecimal digits. It is shown only in this response.' }),
}).meta({ id: 'CreatedKey' })
export type CreatedKey = z.infer<typeof CreatedKey>

export const AccountSession = z
  .object({
    id: z.uuid(),
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
    support: z
      .boolean()
      .meta({ description: 'Whether an operator of the service sees your account in it, for support.' }),
    created_at: time,
    expires_at: time,
    ip_address: z.string().nullable().meta({ description: 'The address from which the person signed in.' }),
    user_agent: z.string().nullable().meta({ description: 'The browser, as it described itself.' }),
  })
  .meta({ id: 'AccountSession' })
export type AccountSession = z.infer<typeof AccountSession>

const NewKey = z
  .strictObject({
    name: shortName.meta({ description: 'What the key is for.' }),
    scopes: z
      .array(z.enum(['read', 'write']).meta({ id: 'GrantableScope' }))
      .min(1)
      .transform((scopes) => [...new Set(scopes)])
      .default(['read', 'write'])
      .meta({ description: 'What the key may do. `read` and `write` do not imply each other.' }),
    expires_at: sentTime
      .optional()
      .meta({ description: 'When the key stops working. Without it, the key does not expire.' }),
  })
  .meta({ id: 'NewKey' })

const KeyUpdate = z
  .strictObject({
    name: shortName.optional(),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: 'A disabled key is refused everywhere within a second, and can be enabled again.' }),
  })
  .meta({ id: 'KeyUpdate' })

const KeyParams = z.object({ key_id: z.string() })

export const account = {
  get: defineRoute({
    method: 'get',
    path: '/account',
    operationId: 'getAccount',
    summary: 'Your account',
    description: 'Who you are, what your plan includes, and what is left of its quotas.',
    access: 'session',
    query: NO_QUERY,
    response: Account,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  update: defineRoute({
    method: 'patch',
    path: '/account',
    operationId: 'updateAccount',
    summary: 'Change your name, time zone or spending limit',
    description:
      'A spending limit takes effect at once: what the language model has cost in this month counts. `null` removes it.',
    access: 'session',
    query: NO_QUERY,
    body: AccountUpdate,
    response: Account,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    example: { body: { name: 'Ada Lovelace' } },
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/account',
    operationId: 'deleteAccount',
    summary: 'Delete your account',
    description:
      'Deletes the account with its keys, sessions, jobs, results and webhook log. It cannot be undone. Sessions end at once, keys stop working within a second, and the rest is gone within minutes.',
    access: 'session',
    recentSignIn: true,
    query: NO_QUERY,
    body: z
      .strictObject({ confirm: z.string().max(320).meta({ description: 'The email address of the account.' }) })
      .meta({ id: 'AccountDeletion' }),
    response: z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedAccount' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    example: { body: { confirm: 'ada@example.org' } },
  }),
  export: defineRoute({
    method: 'get',
    path: '/account/export',
    operationId: 'exportAccount',
    summary: 'Export your data',
    description: [
      'Returns everything that is stored about the account as a ZIP archive of JSON files: `account.json`, the jobs with their',
      'results, receipts and conversations (`jobs/00001.json` and so on, 100 jobs each), and a file for each other kind of',
      'data. Keys, secrets and passwords are stored as hashes or encrypted, and left out.\n\n',
      'The archive is written while it is sent, so an archive that cannot be opened is incomplete: request it again. One export',
      'of an account runs at a time.',
    ].join(' '),
    access: 'session',
    query: NO_QUERY,
    status: 200,
    files: ['application/zip'],
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  keys: defineRoute({
    method: 'get',
    path: '/account/keys',
    operationId: 'listApiKeys',
    summary: 'List your API keys',
    description: 'Newest first. Keys that were revoked more than 30 days ago are left out.',
    access: 'session',
    query: NO_QUERY,
    response: z.object({ keys: z.array(AccountKey) }).meta({ id: 'AccountKeyList' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  createKey: defineRoute({
    method: 'post',
    path: '/account/keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description: `Shows the key once; only a hash of it is stored. A request that is repeated under its \`Idempotency-Key\` creates no second key: it gets \`409 KEY_ALREADY_CREATED\` with the prefix of the first one. An account has at most ${MAX_ACTIVE_KEYS} keys that are neither revoked nor expired. ${requiresPlanFor('api_keys')}`,
    access: 'session',
    recentSignIn: true,
    idempotent: true,
    query: NO_QUERY,
    body: NewKey,
    response: CreatedKey,
    status: 201,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'PLAN_UPGRADE_REQUIRED', 'KEY_LIMIT_REACHED', 'KEY_ALREADY_CREATED'],
    example: { body: { name: 'Nightly import' } },
  }),
  updateKey: defineRoute({
    method: 'patch',
    path: '/account/keys/{key_id}',
    operationId: 'updateApiKey',
    summary: 'Rename, disable or enable an API key',
    access: 'session',
    params: KeyParams,
    query: NO_QUERY,
    body: KeyUpdate,
    response: AccountKey,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    example: { body: { disabled: true } },
  }),
  revokeKey: defineRoute({
    method: 'delete',
    path: '/account/keys/{key_id}',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'The key is refused everywhere within a second, for good. Jobs, subscriptions and feeds that it created belong to your account and go on: delete those that you did not create.',
    access: 'session',
    params: KeyParams,
    query: NO_QUERY,
    response: AccountKey,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  sessions: defineRoute({
    method: 'get',
    path: '/account/sessions',
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'The browsers in which you are signed in, latest sign-in first.',
    access: 'session',
    query: NO_QUERY,
    response: z.object({ sessions: z.array(AccountSession) }).meta({ id: 'AccountSessionList' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  endSession: defineRoute({
    method: 'delete',
    path: '/account/sessions/{session_id}',
    operationId: 'endSession',
    summary: 'End a session',
    description: 'The browser is signed out at once.',
    access: 'session',
    params: z.object({ session_id: z.string() }),
    query: NO_QUERY,
    response: z.object({ ended: z.literal(true) }).meta({ id: 'EndedSession' }),
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  }),
  ...connectedApps,
}
