import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Subtext } from '@subtext/sdk'
import type { Context } from '../context.ts'
import { type ExitCode, OK, UsageError } from '../exit-codes.ts'
import { readLogin, saveLogin } from '../saved-login.ts'
import { formatTable } from '../table.ts'

const KEY = /^sk_[0-9a-f]{64}$/

/** Asks for an API key, tries it and saves it. */
export async function login(ctx: Context, { baseUrl }: { baseUrl?: string }): Promise<ExitCode> {
  const { configFile, baseUrl: fromEnvironment } = ctx.environment
  const url = baseUrl ?? fromEnvironment ?? (await readLogin(configFile)).baseUrl
  const apiKey = (await readKey(ctx)).trim()
  if (!KEY.test(apiKey)) throw new UsageError('That is no API key: it begins with sk_ and has 64 more characters.')
  const { plan } = await new Subtext({ apiKey, baseUrl: url }).usage.current({ signal: ctx.signal })
  await saveLogin(configFile, { apiKey, ...(url && { baseUrl: url }) })
  ctx.note(`Signed in (plan ${plan}). The key is in ${configFile}.`)
  return OK
}

/** Reads the key from the standard input. On a terminal, it is not shown while it is typed. */
async function readKey({ terminal, signal }: Context): Promise<string> {
  if (!terminal.stdin.isTTY) return text(terminal.stdin)
  terminal.stderr.write('API key: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: terminal.stdin, output: silent, terminal: true })
  try {
    return await prompt.question('', { signal })
  } finally {
    prompt.close()
    terminal.stderr.write('\n')
  }
}

/** Prints plan, quotas and the usage of the current month. */
export async function showUsage(ctx: Context, { json }: { json?: boolean }): Promise<ExitCode> {
  const { usage } = await ctx.connect()
  const current = await usage.current({ signal: ctx.signal })
  if (json) {
    ctx.print(JSON.stringify(current))
    return OK
  }
  const { plan, quotas, current_period: period, rate_limits } = current
  const count = (used: number, limit: number | null): string => (limit === null ? `${used}` : `${used} of ${limit}`)
  const { requests_per_hour: requests } = rate_limits
  ctx.print(
    formatTable([
      ['Plan', plan],
      ['Videos today', count(quotas.daily.used, quotas.daily.limit)],
      ['Videos this month', count(quotas.monthly.used, quotas.monthly.limit)],
      ['Requests this hour', count(requests.used, requests.limit)],
      ['Tokens this month', String(period.total_tokens)],
      ['Cost this month', `$${period.total_cost.toFixed(2)}`],
    ]),
  )
  return OK
}
