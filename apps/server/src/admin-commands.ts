import { parseArgs } from 'node:util'
import { PLAN_NAMES, PLANS, Plan, SCOPES, Scope } from '@subtext/contracts'
import { inviteAddress } from '@subtext/core/accounts'
import {
  changeKey,
  createApiKey,
  findKeys,
  type ListedKey,
  listApiKeys,
  parseKeySelector,
} from '@subtext/core/api-keys'
import { setOperator } from '@subtext/core/operations'
import { setPlan } from '@subtext/core/plans'
import { rotateWebhookSecret, type SecretBox } from '@subtext/core/webhooks'
import type { Db } from '@subtext/db'
import { parseExpiry } from './expiry.ts'
import { keysAsJson, keysAsTable } from './key-table.ts'

export const USAGE = `Usage: npm run --silent admin -- COMMAND

  create-key --email E --plan ${PLAN_NAMES.join('|')} [--admin] [--scopes read,write] [--expires-in 90d | --expires-at 2027-01-31]
      prints a new API key; it is shown only once. Creates the user if needed and moves an existing user to the plan.
      The free plan includes no API keys: one for it is for tests.
  list-keys [--email E] [--json]
      lists the keys of one user or of all users; the keys themselves are not stored
  revoke-key KEY
      revokes a key for good; takes effect everywhere within a second
  disable-key KEY, enable-key KEY
      suspends a key, and restores it
  set-plan --email E --plan ${PLAN_NAMES.join('|')}
      moves a user to another plan; takes effect within a second
  invite --email E
      lets the address sign up while SIGN_UP=invite, for 30 days, and prints the link to send to its owner
  set-operator --email E [--off]
      lets a user see, when signed in, what the service has to do and who uses it; --off ends that
  rotate-webhook-secret --email E
      prints a new webhook secret; for 24 hours deliveries are signed with the previous secret as well
  check-model
      asks the configured language model a few questions, and prints what its server supports, how fast it is and a sample summary

KEY is the id of a key or its visible part (sk_1a2b3c or sk_1a2b3c…9f0e), as printed by list-keys, or - to read the whole
key from standard input.`

/** Said for a key on a plan without keys. */
const KEYS_NOT_INCLUDED = 'Warning: this plan includes no API keys. The key is for tests of what the plan allows.'

/** The command line is invalid. */
export class UsageError extends Error {}
/** The command line is valid, but the command cannot be carried out. */
export class RefusedError extends Error {}

export interface AdminContext {
  db: Db
  clock: () => Date
  /** Called only by commands that deal with webhook secrets. */
  openSecretBox: () => Promise<SecretBox>
  readInput: () => Promise<string>
  /** Adds a line to what is written to standard error. */
  warn: (text: string) => void
  /** Returns the public origin of the service. */
  readOrigin: () => string
}

/** Carries out a command and returns what to print. */
export type Command = (ctx: AdminContext) => Promise<string>

interface Options {
  email?: string
  plan?: string
  scopes?: string
  admin?: boolean
  json?: boolean
  off?: boolean
  'expires-in'?: string
  'expires-at'?: string
}

interface CommandDefinition {
  options: readonly (keyof Options)[]
  /** The command takes a KEY. */
  key?: true
  build(options: Options, key: string): Command
}

const FLAGS = new Set(['admin', 'json', 'off'])

const COMMANDS: Record<string, CommandDefinition> = {
  'create-key': {
    options: ['email', 'plan', 'scopes', 'admin', 'expires-in', 'expires-at'],
    build: buildCreateKey,
  },
  'list-keys': {
    options: ['email', 'json'],
    build(options) {
      const email = options.email === undefined ? undefined : parseEmail(options.email)
      return async (ctx) => {
        const keys = await listApiKeys(ctx, email)
        return options.json ? keysAsJson(keys) : keysAsTable(keys)
      }
    },
  },
  'revoke-key': { options: [], key: true, build: (_, key) => buildKeyChange(key, 'revoke') },
  'disable-key': { options: [], key: true, build: (_, key) => buildKeyChange(key, 'disable') },
  'enable-key': { options: [], key: true, build: (_, key) => buildKeyChange(key, 'enable') },
  'set-plan': {
    options: ['email', 'plan'],
    build(options) {
      const email = parseEmail(options.email)
      const plan = parsePlan(options.plan)
      return async (ctx) => {
        if (!(await setPlan(ctx, email, plan))) throw new RefusedError(`No user has the address ${email}.`)
        return `${email} is now on the ${plan} plan.`
      }
    },
  },
  invite: {
    options: ['email'],
    build(options) {
      const email = parseEmail(options.email)
      return async (ctx) => {
        await inviteAddress(ctx, email)
        return `${ctx.readOrigin()}/sign-up?email=${encodeURIComponent(email)}`
      }
    },
  },
  'set-operator': {
    options: ['email', 'off'],
    build({ email: address, off }) {
      const email = parseEmail(address)
      return async (ctx) => {
        if (!(await setOperator(ctx, email, !off))) throw new RefusedError(`No user has the address ${email}.`)
        return `${email} is ${off ? 'no longer' : 'now'} an operator.`
      }
    },
  },
  'rotate-webhook-secret': {
    options: ['email'],
    build(options) {
      const email = parseEmail(options.email)
      return async (ctx) => {
        const secret = await rotateWebhookSecret({ ...ctx, secretBox: await ctx.openSecretBox() }, email)
        if (!secret) throw new RefusedError(`No user has the address ${email}.`)
        return secret
      }
    },
  },
}

/** Parses a command line. Throws `UsageError` if it is invalid, before any connection is opened. */
export function parseCommand([name, ...args]: string[]): Command {
  if (name === undefined) throw new UsageError('Name a command.')
  const definition = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!definition) throw new UsageError(`There is no command ${name}.`)
  const { values, positionals } = readArgs(args, definition.options)
  const [key, ...surplus] = positionals
  if (definition.key ? key === undefined : key !== undefined) {
    throw new UsageError(definition.key ? `${name} needs a KEY.` : `${name} does not take ${key}.`)
  }
  if (surplus.length > 0) throw new UsageError(`${name} takes one KEY.`)
  return definition.build(values, key ?? '')
}

function readArgs(args: string[], names: CommandDefinition['options']): { values: Options; positionals: string[] } {
  const options = Object.fromEntries(
    names.map((name) => [name, { type: FLAGS.has(name) ? ('boolean' as const) : ('string' as const) }]),
  )
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function buildCreateKey(options: Options): Command {
  const email = parseEmail(options.email)
  const plan = parsePlan(options.plan)
  const scopes = Scope.array().safeParse((options.scopes ?? 'read,write').split(',').map((scope) => scope.trim()))
  if (!scopes.success) throw new UsageError(`--scopes takes one or more of ${SCOPES.join(', ')}, separated by commas.`)
  const granted = [...new Set(options.admin ? [...scopes.data, 'admin' as const] : scopes.data)]
  const parsed = parseExpiry(options['expires-in'], options['expires-at'])
  if ('error' in parsed) throw new UsageError(parsed.error)
  return (ctx) => {
    const expiresAt = parsed.expiresAt(ctx.clock())
    if (expiresAt && expiresAt <= ctx.clock()) throw new RefusedError('The expiry date is in the past.')
    if (!PLANS[plan].features.some((feature) => feature === 'api_keys')) ctx.warn(KEYS_NOT_INCLUDED)
    return createApiKey(ctx, { email, plan, scopes: granted, expiresAt })
  }
}

function parseEmail(text: string | undefined): string {
  const email = text?.trim().toLowerCase()
  if (!email || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('--email needs an email address.')
  return email
}

function parsePlan(text: string | undefined): Plan {
  const plan = Plan.safeParse(text)
  if (!plan.success) throw new UsageError(`--plan must be one of ${PLAN_NAMES.join(', ')}.`)
  return plan.data
}

const DONE = { revoke: 'revoked', disable: 'disabled', enable: 'enabled' } as const

function buildKeyChange(text: string, change: keyof typeof DONE): Command {
  if (text !== '-' && !parseKeySelector(text)) {
    throw new UsageError(`${text} is neither the id of a key nor part of one.`)
  }
  return async (ctx) => {
    const key = await pickKey(ctx, text === '-' ? (await ctx.readInput()).trim() : text)
    if (change !== 'revoke' && key.state === 'revoked') {
      throw new RefusedError('The key has been revoked, which cannot be undone. Create a new key.')
    }
    const changed = await changeKey(ctx, key, change)
    return `${key.label} of ${key.email} is ${changed ? '' : 'already '}${DONE[change]}.`
  }
}

/** Finds the one key that `text` selects. Throws `RefusedError` if there is none, or more than one. */
async function pickKey(ctx: AdminContext, text: string): Promise<ListedKey> {
  const selector = parseKeySelector(text)
  if (!selector) throw new RefusedError('Standard input holds neither a key nor the id of one.')
  const found = await findKeys(ctx, selector)
  const live = found.filter((key) => key.state !== 'revoked')
  // A revoked key is still found, so that repeating a revocation reports that it is done.
  const candidates = live.length > 0 ? live : found
  const [key, another] = candidates
  if (!key) throw new RefusedError('There is no such key.')
  if (another) {
    throw new RefusedError(`Several keys match; use the id of one of them:\n${keysAsTable(candidates)}`)
  }
  return key
}
