import { parseArgs } from 'node:util'
import { PLAN_NAMES, Plan, SCOPES, Scope } from '@subtext/contracts'
import {
  changeKey,
  createApiKey,
  findKeys,
  type ListedKey,
  listApiKeys,
  parseKeySelector,
} from '@subtext/core/api-keys'
import { setPlan } from '@subtext/core/plans'
import { rotateWebhookSecret, type SecretBox } from '@subtext/core/webhooks'
import type { Db } from '@subtext/db'
import { parseExpiry } from './expiry.ts'
import { keysAsJson, keysAsTable } from './key-table.ts'

export const USAGE = `Usage: npm run --silent admin -- COMMAND

  create-key --email E --plan ${PLAN_NAMES.join('|')} [--admin] [--scopes read,write] [--expires-in 90d | --expires-at 2027-01-31]
      prints a new API key, once; makes the user when there is none, moves an existing one to the plan
  list-keys [--email E] [--json]
      what is known of the keys of a user or of all; the keys themselves are not kept
  revoke-key KEY
      ends a key for good, everywhere within a second
  disable-key KEY, enable-key KEY
      the same, and back
  set-plan --email E --plan ${PLAN_NAMES.join('|')}
      moves a user to another plan within a second
  rotate-webhook-secret --email E
      prints a new webhook secret; the former signs beside it for 24 hours

KEY is an id or the visible part of a key (sk_1a2b3c or sk_1a2b3c…9f0e) as list-keys shows them, or - for a whole key on
standard input.`

/** The call itself is wrong. */
export class UsageError extends Error {}
/** The call is right, and cannot be followed. */
export class RefusedError extends Error {}

export interface Surroundings {
  db: Db
  clock: () => Date
  /** Opened only by what deals with secrets of webhooks. */
  openSecretBox: () => Promise<SecretBox>
  readInput: () => Promise<string>
}

/** What is to be printed. */
export type Command = (surroundings: Surroundings) => Promise<string>

interface Options {
  email?: string
  plan?: string
  scopes?: string
  admin?: boolean
  json?: boolean
  'expires-in'?: string
  'expires-at'?: string
}

interface CommandTerms {
  options: readonly (keyof Options)[]
  /** Takes KEY. */
  key?: true
  build(options: Options, key: string): Command
}

const FLAGS = new Set(['admin', 'json'])

const COMMANDS: Record<string, CommandTerms> = {
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
  'revoke-key': { options: [], key: true, build: (_, key) => changing(key, 'revoke') },
  'disable-key': { options: [], key: true, build: (_, key) => changing(key, 'disable') },
  'enable-key': { options: [], key: true, build: (_, key) => changing(key, 'enable') },
  'set-plan': {
    options: ['email', 'plan'],
    build(options) {
      const email = parseEmail(options.email)
      const plan = parsePlan(options.plan)
      return async (ctx) => {
        if (!(await setPlan(ctx, email, plan))) throw new RefusedError(`No user has the address ${email}.`)
        return `${email} is on the plan ${plan}.`
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

/** Throws `UsageError` for a call that is wrong, before anything is opened. */
export function parseCommand([name, ...args]: string[]): Command {
  if (name === undefined) throw new UsageError('Which command?')
  const terms = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!terms) throw new UsageError(`There is no command ${name}.`)
  const { values, positionals } = readArgs(args, terms.options)
  const [key, ...surplus] = positionals
  if (terms.key ? key === undefined : key !== undefined) {
    throw new UsageError(terms.key ? `${name} needs a KEY.` : `${name} does not take ${key}.`)
  }
  if (surplus.length > 0) throw new UsageError(`${name} takes one KEY.`)
  return terms.build(values, key ?? '')
}

function readArgs(args: string[], names: CommandTerms['options']): { values: Options; positionals: string[] } {
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
  if (!scopes.success) throw new UsageError(`--scopes takes ${SCOPES.join(', ')}, separated by commas.`)
  const granted = [...new Set(options.admin ? [...scopes.data, 'admin' as const] : scopes.data)]
  const parsed = parseExpiry(options['expires-in'], options['expires-at'])
  if ('fault' in parsed) throw new UsageError(parsed.fault)
  return (ctx) => {
    const expiresAt = parsed.expiresAt(ctx.clock())
    if (expiresAt && expiresAt <= ctx.clock()) throw new RefusedError('The key would have ended already.')
    return createApiKey(ctx, { email, plan, scopes: granted, expiresAt })
  }
}

function parseEmail(text: string | undefined): string {
  const email = text?.trim().toLowerCase()
  if (!email || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('--email needs an address.')
  return email
}

function parsePlan(text: string | undefined): Plan {
  const plan = Plan.safeParse(text)
  if (!plan.success) throw new UsageError(`--plan is one of ${PLAN_NAMES.join(', ')}.`)
  return plan.data
}

const DONE = { revoke: 'revoked', disable: 'disabled', enable: 'enabled' } as const

function changing(given: string, change: keyof typeof DONE): Command {
  if (given !== '-' && !parseKeySelector(given)) throw new UsageError(`${given} is neither an id nor part of a key.`)
  return async (ctx) => {
    const key = await pickKey(ctx, given === '-' ? (await ctx.readInput()).trim() : given)
    if (change !== 'revoke' && key.state === 'revoked') throw new RefusedError('A revoked key stays revoked.')
    const changed = await changeKey(ctx, key, change)
    return `${key.label} of ${key.email} is ${changed ? '' : 'already '}${DONE[change]}.`
  }
}

async function pickKey(ctx: Surroundings, text: string): Promise<ListedKey> {
  const selector = parseKeySelector(text)
  if (!selector) throw new RefusedError('What was given is neither an id nor a key.')
  const found = await findKeys(ctx, selector)
  const live = found.filter((key) => key.state !== 'revoked')
  // Asked for the second time, the answer is that it is done.
  const [key, another] = live.length > 0 ? live : found
  if (!key) throw new RefusedError('There is no such key.')
  if (another) {
    throw new RefusedError(`Several keys look like this; take an id:\n${keysAsTable(live.length > 0 ? live : found)}`)
  }
  return key
}
