import { parseArgs } from 'node:util'
import { PLANS, Plan, SCOPES, Scope } from '@subtext/contracts'
import { createApiKey, rotateWebhookSecret } from '@subtext/core'
import { type Db, migrate, openDb } from '@subtext/db'
import { withDatabase } from './locate-database.ts'

const USAGE = `Usage:
  npm run --silent admin -- create-key --email E --plan ${PLANS.join('|')} [--admin] [--scopes read,write]
      prints a new API key; makes the user when there is none
  npm run --silent admin -- rotate-webhook-secret --email E
      prints a new webhook secret; the former signs beside it for 24 hours`

class UsageError extends Error {}

type Command = (db: Db) => Promise<string>

function parseCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      plan: { type: 'string' },
      admin: { type: 'boolean', default: false },
      scopes: { type: 'string', default: 'read,write' },
    },
  })
  const [name, ...rest] = positionals
  const email = values.email?.trim().toLowerCase()
  if (!email?.includes('@') || rest.length > 0) throw new UsageError('--email needs an address.')
  if (name === 'create-key') {
    const plan = Plan.safeParse(values.plan)
    if (!plan.success) throw new UsageError(`--plan is one of ${PLANS.join(', ')}.`)
    const scopes = Scope.array().min(1).safeParse(values.scopes.split(','))
    if (!scopes.success) throw new UsageError(`--scopes takes ${SCOPES.join(', ')}, separated by commas.`)
    const granted = values.admin ? [...new Set([...scopes.data, 'admin' as const])] : scopes.data
    return (db) => createApiKey({ db }, { email, plan: plan.data, scopes: granted })
  }
  if (name === 'rotate-webhook-secret') {
    return async (db) => {
      const secret = await rotateWebhookSecret({ db }, email)
      if (!secret) throw new UsageError('No user has this address.')
      return secret
    }
  }
  throw new UsageError(name ? `There is no command ${name}.` : 'Which command?')
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2))
  const answer = await withDatabase(async (url) => {
    await migrate(url)
    const db = openDb({ url, maxConnections: 1 })
    try {
      return await command(db)
    } finally {
      await db.close()
    }
  })
  console.log(answer)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const { code } = error as { code?: unknown }
    const misused = error instanceof UsageError || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
    console.error(misused ? `${(error as Error).message}\n\n${USAGE}` : (error as Error).stack)
    process.exit(misused ? 2 : 1)
  },
)
