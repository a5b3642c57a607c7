import { createHash, randomBytes } from 'node:crypto'
import { MAX_SUPPORT_MINUTES, type Plan, ServiceError, SIGN_IN_LINK_MINUTES } from '@subtext/contracts'
import type { Sql, Transactional } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import { lockOperated, type Operator, recordAction } from '../operations/index.ts'
import {
  confirmAddress,
  ensureAccount,
  findSignInLink,
  hasOwner,
  insertFirstOwner,
  insertSignInLink,
  lockFirstOwner,
  markLinkUsed,
  type OpenSignInLink,
  type SignInLinkKind,
} from './sign-in-links-sql.ts'

type LinkContext = Pick<Context, 'db' | 'clock'>

const TOKEN_BYTES = 32
const FIRST_OWNER_MINUTES = 60
const FIRST_OWNER_PLAN: Plan = 'pro'

const hashOf = (token: string): Buffer<ArrayBuffer> => createHash('sha256').update(token).digest()

/** A link that was created. The token cannot be read again later. */
export interface CreatedLink {
  token: string
  expiresAt: Date
}

/** Returns the address of a link on the service with this public origin. */
export const signInLinkUrl = (origin: string, { token }: CreatedLink): string => `${origin}/auth/link?token=${token}`
/** Returns the address at which the first owner creates the account. */
export const firstOwnerUrl = (origin: string, { token }: CreatedLink): string => `${origin}/sign-up?setup=${token}`

async function createLink(
  sql: Sql,
  { kind, userId, minutes, by }: { kind: SignInLinkKind; userId: string | null; minutes: number; by?: Operator },
  createdAt: Date,
): Promise<CreatedLink> {
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  const expiresAt = new Date(createdAt.getTime() + minutes * 60_000)
  const supportBy = kind === 'support' && by && 'userId' in by ? by.userId : null
  await insertSignInLink(sql, { tokenHash: hashOf(token), kind, userId, createdAt, expiresAt, supportBy })
  return { token, expiresAt }
}

/** Creates the link with which the first owner creates an account. Returns null if somebody has one already. */
export const createFirstOwnerLink = async ({ db, clock }: LinkContext): Promise<CreatedLink | null> =>
  (await hasOwner(db))
    ? null
    : createLink(db, { kind: 'first_owner', userId: null, minutes: FIRST_OWNER_MINUTES }, clock())

/**
 * Creates a link with which the owner of an address signs in, and the account on this plan if there is none. The operator vouches
 * for the address.
 */
export const createOwnerLink = (
  { db, clock }: LinkContext,
  by: Operator,
  { email, plan }: { email: string; plan: Plan },
): Promise<CreatedLink & { accountCreated: boolean }> =>
  db.transaction(async (sql) => {
    const now = clock()
    const { id, created } = await ensureAccount(sql, { id: newId(), email, plan })
    refuseIfSuspended(await lockOperated(sql, id))
    const link = await createLink(sql, { kind: 'owner', userId: id, minutes: SIGN_IN_LINK_MINUTES }, now)
    const details = created ? { account_created: true } : {}
    await recordAction(sql, { action: 'create_owner_link', by, accountId: id, details }, now)
    return { ...link, accountCreated: created }
  })

/**
 * Creates a link with which an operator sees an account, for an hour, without what only its owner may do. Errors: `NOT_FOUND`, and
 * `VALIDATION_ERROR` for an account that is suspended or in which nobody has signed in.
 */
export const createSupportLink = (
  { db, clock }: LinkContext,
  by: Operator,
  accountId: string,
  reason: string | null,
): Promise<CreatedLink> =>
  db.transaction(async (sql) => {
    const now = clock()
    const account = await lockOperated(sql, accountId)
    refuseIfSuspended(account)
    if (!account.emailVerified)
      throw new ServiceError('VALIDATION_ERROR', { message: NOT_CONFIRMED, details: NO_ISSUES })
    const wanted = { kind: 'support', userId: account.id, minutes: SIGN_IN_LINK_MINUTES, by } as const
    const link = await createLink(sql, wanted, now)
    const details = reason === null ? {} : { reason }
    await recordAction(sql, { action: 'create_support_link', by, accountId: account.id, details }, now)
    return link
  })

const NO_ISSUES = { issues: [] }
const NOT_CONFIRMED = 'Nobody has signed in to this account yet.'
const IS_SUSPENDED = 'The account is suspended. Restore it first.'

function refuseIfSuspended({ suspendedAt }: { suspendedAt: Date | null }): void {
  if (suspendedAt) throw new ServiceError('VALIDATION_ERROR', { message: IS_SUSPENDED, details: NO_ISSUES })
}

/** Returns whom a link signs in, without using it. Null if it does not work. */
export const readSignInLink = ({ db, clock }: LinkContext, token: string): Promise<OpenSignInLink | null> =>
  findSignInLink(db, hashOf(token), clock())

export interface UsedLink {
  userId: string
  /** When the session has to end, if an operator sees the account in it. */
  supportUntil: Date | null
  /** The operator, unless a command has created the link. */
  supportBy: string | null
}

/** Uses the link of an owner or an operator. Returns whom to sign in, or null if it does not work, or no longer. */
export const useSignInLink = ({ db, clock }: { db: Transactional; clock: () => Date }, token: string) =>
  db.transaction(async (sql): Promise<UsedLink | null> => {
    const now = clock()
    const link = await findSignInLink(sql, hashOf(token), now)
    if (!link?.userId || link.suspended || !(await markLinkUsed(sql, hashOf(token), now))) return null
    const isSupport = link.kind === 'support'
    if (!isSupport) await confirmAddress(sql, link.userId, now)
    const supportUntil = isSupport ? new Date(now.getTime() + MAX_SUPPORT_MINUTES * 60_000) : null
    return { userId: link.userId, supportUntil, supportBy: link.supportBy }
  })

/**
 * Creates the first account with the link of the first owner. Returns its ID, or null if the link does not work or somebody has an
 * account already. `password`: a hash.
 */
export const createFirstOwner = (
  { db, clock }: { db: Transactional; clock: () => Date },
  token: string,
  owner: { email: string; name: string; password: string },
): Promise<string | null> =>
  db.transaction(async (sql) => {
    const now = clock()
    await lockFirstOwner(sql)
    const link = await findSignInLink(sql, hashOf(token), now)
    if (link?.kind !== 'first_owner' || (await hasOwner(sql)) || !(await markLinkUsed(sql, hashOf(token), now))) {
      return null
    }
    const account = { ...owner, userId: newId(), identityId: newId(), plan: FIRST_OWNER_PLAN }
    const userId = await insertFirstOwner(sql, account, now)
    await recordAction(sql, { action: 'create_first_owner', by: { userId }, accountId: userId }, now)
    return userId
  })
