import { PLANS, type Plan, type Scope } from '@subtext/contracts'
import { inviteAddress } from '@subtext/core/accounts'
import {
  changeKey,
  createApiKey,
  findKeys,
  type KeyChange,
  type ListedKey,
  parseKeySelector,
} from '@subtext/core/api-keys'
import { setOperator } from '@subtext/core/operations'
import { setPlan } from '@subtext/core/plans'
import { rotateWebhookSecret, type SecretBox, UnreadableSecretError } from '@subtext/core/webhooks'
import type { PrismaDb } from '@subtext/db/prisma'
import type { Expiry } from './expiry.ts'
import { keysAsJson, keysAsTable } from './key-table.ts'

/** Printed for a key on a plan without API keys. */
const KEYS_NOT_INCLUDED = 'Warning: this plan includes no API keys. Use the key only to test what the plan allows.'

/** The command line is valid, but the command cannot be carried out. */
export class RefusedError extends Error {}

export interface AdminContext {
  db: PrismaDb
  clock: () => Date
  /** Opens the box that encrypts webhook secrets. Called only by commands that need it. */
  openSecretBox: () => Promise<SecretBox>
  readInput: () => Promise<string>
  /** Adds a line to what is written to standard error. */
  warn: (text: string) => void
  /** Returns the public origin of the service. */
  readOrigin: () => string
}

/** Carries out a command and returns what to print. */
export type AdminCommand = (ctx: AdminContext) => Promise<string>

export interface CreateKeyOptions {
  email: string
  plan: Plan
  scopes: Scope[]
  admin?: boolean
  expiresIn?: Expiry
  expiresAt?: Expiry
}

export const createKey =
  ({ email, plan, scopes, admin, expiresIn, expiresAt }: CreateKeyOptions): AdminCommand =>
  (ctx) => {
    const expiry = (expiresIn ?? expiresAt)?.(ctx.clock())
    if (expiry && expiry <= ctx.clock()) throw new RefusedError('The expiry date is in the past.')
    if (!PLANS[plan].features.some((feature) => feature === 'api_keys')) ctx.warn(KEYS_NOT_INCLUDED)
    const granted = [...new Set(admin ? [...scopes, 'admin' as const] : scopes)]
    return createApiKey(ctx, { email, plan, scopes: granted, expiresAt: expiry })
  }

export const listKeys =
  ({ email, json }: { email?: string; json?: boolean }): AdminCommand =>
  async (ctx) => {
    const keys = await findKeys(ctx, { email })
    return json ? keysAsJson(keys) : keysAsTable(keys)
  }

const DONE: Record<KeyChange, string> = { revoke: 'revoked', disable: 'disabled', enable: 'enabled' }

/** `text`: the selector of the key, or `-` to read it from standard input. */
export const changeSelectedKey =
  (change: KeyChange, text: string): AdminCommand =>
  async (ctx) => {
    const key = await pickKey(ctx, text === '-' ? (await ctx.readInput()).trim() : text)
    if (change !== 'revoke' && key.state === 'revoked') {
      throw new RefusedError('The key has been revoked, which cannot be undone. Create a new key.')
    }
    const changed = await changeKey(ctx, key, change)
    return `${key.label} of ${key.email} is ${changed ? '' : 'already '}${DONE[change]}.`
  }

/** Finds the one key that `text` selects. Throws `RefusedError` if there is none, or more than one. */
async function pickKey(ctx: AdminContext, text: string): Promise<ListedKey> {
  const selector = parseKeySelector(text)
  if (!selector) throw new RefusedError('Standard input contains neither a key nor the ID of one.')
  const found = await findKeys(ctx, selector)
  const live = found.filter((key) => key.state !== 'revoked')
  // A revoked key is still found, so that repeating a revocation reports that it is done.
  const candidates = live.length > 0 ? live : found
  const [key, another] = candidates
  if (!key) throw new RefusedError('There is no such key.')
  if (another) {
    throw new RefusedError(`Several keys match. Use the ID of one of them:\n${keysAsTable(candidates)}`)
  }
  return key
}

const noUser = (email: string): RefusedError => new RefusedError(`No user has the address ${email}.`)

export const movePlan =
  ({ email, plan }: { email: string; plan: Plan }): AdminCommand =>
  async (ctx) => {
    if (!(await setPlan(ctx, email, plan))) throw noUser(email)
    return `${email} is now on the ${plan} plan.`
  }

export const invite =
  ({ email }: { email: string }): AdminCommand =>
  async (ctx) => {
    await inviteAddress(ctx, email)
    return `${ctx.readOrigin()}/sign-up?email=${encodeURIComponent(email)}`
  }

export const makeOperator =
  ({ email, off = false }: { email: string; off?: boolean }): AdminCommand =>
  async (ctx) => {
    if (!(await setOperator(ctx, email, !off))) throw noUser(email)
    return `${email} is ${off ? 'no longer' : 'now'} an operator.`
  }

/** Printed when the key of the command is not that of the service. */
const WRONG_KEY =
  'WEBHOOK_SECRET_KEY does not open the webhook secrets that are stored. Set it to the key that the service uses, or add --lost-key if that key is lost.'

export const rotateSecret =
  ({ email, lostKey = false }: { email: string; lostKey?: boolean }): AdminCommand =>
  async (ctx) => {
    const secretBox = await ctx.openSecretBox()
    const secret = await rotateWebhookSecret({ ...ctx, secretBox }, email, { isLost: lostKey }).catch(
      (error: unknown) => {
        throw error instanceof UnreadableSecretError ? new RefusedError(WRONG_KEY) : error
      },
    )
    if (!secret) throw noUser(email)
    return secret
  }
