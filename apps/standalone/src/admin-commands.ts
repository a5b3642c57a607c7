import { PLANS, type Plan, type Scope } from '@subtext/contracts'
import {
  changeKey,
  createApiKey,
  findKeys,
  type KeyChange,
  type ListedKey,
  parseKeySelector,
} from '@subtext/core/api-keys'
import { queueDigests } from '@subtext/core/subscriptions'
import { findAccount, record } from './account-commands.ts'
import { type AdminCommand, type AdminContext, RefusedError, readOnly } from './admin-context.ts'
import type { Expiry } from './expiry.ts'
import { keysAsJson, keysAsTable } from './key-table.ts'

/** Printed for a key on a plan without API keys. */
const KEYS_NOT_INCLUDED = 'Warning: this plan includes no API keys. Use the key only to test what the plan allows.'

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
  async (ctx) => {
    const expiry = (expiresIn ?? expiresAt)?.(ctx.clock())
    if (expiry && expiry <= ctx.clock()) throw new RefusedError('The expiry date is in the past.')
    if (!PLANS[plan].features.some((feature) => feature === 'api_keys')) ctx.warn(KEYS_NOT_INCLUDED)
    const granted = [...new Set(admin ? [...scopes, 'admin' as const] : scopes)]
    const key = await createApiKey(ctx, { email, plan, scopes: granted, expiresAt: expiry })
    await record(ctx, 'create_key', await findAccount(ctx, email), { key: labelOf(key), plan, scopes: granted })
    return key
  }

const labelOf = (key: string): string => `${key.slice(0, 9)}…${key.slice(-4)}`

export const listKeys = ({ email, json }: { email?: string; json?: boolean }): AdminCommand =>
  readOnly(async (ctx) => {
    const keys = await findKeys(ctx, { email })
    return json ? keysAsJson(keys) : keysAsTable(keys)
  })

/** Queues the digests that are due at a time. The API sends them. */
export const sendDigests =
  (at: Expiry): AdminCommand =>
  async (ctx) => {
    // Other commands start sooner without it.
    const { findThemes } = await import('@subtext/summarize/digests')
    const queued = await queueDigests({ ...ctx, findThemes }, at(ctx.clock()))
    return queued === 1 ? '1 digest is queued.' : `${queued} digests are queued.`
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
    if (changed) await record(ctx, 'change_key', key.userId, { key: key.label, change })
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
