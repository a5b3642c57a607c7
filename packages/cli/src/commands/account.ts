import { createProxiedFetch } from '@subtext/runtime/proxied-fetch'
import { AuthenticationError, type CurrentUsage, Subtext, SubtextError } from '@subtext/sdk'
import type { CommandContext } from '../context.ts'
import { type ExitCode, OK, UsageError } from '../exit-codes.ts'
import { readInput } from '../input.ts'
import { readLine } from '../prompt.ts'
import { deleteLogin, readLogin, saveLogin } from '../saved-login.ts'
import { formatTable } from '../table.ts'
import { usd } from './costs.ts'

const KEY = /^sk_[0-9a-f]{64}$/

/** Asks for an API key, tries it and saves it. */
export async function login(
  ctx: CommandContext,
  { baseUrl, json }: { baseUrl?: string; json?: boolean },
): Promise<ExitCode> {
  const { configFile, baseUrl: fromEnvironment, apiKey: keyOfEnvironment } = ctx.environment
  const url = baseUrl ?? fromEnvironment ?? (await readLogin(configFile)).baseUrl
  const apiKey = (await readKey(ctx)).trim()
  if (!KEY.test(apiKey)) throw new UsageError('This is not an API key. A key consists of sk_ and 64 more characters.')
  const { plan } = await tryKey(ctx, { apiKey, baseUrl: url })
  await saveLogin(configFile, { apiKey, ...(url && { baseUrl: url }) }).catch((error: Error) => {
    throw new Error(`The key is valid, but ${configFile} cannot be written: ${error.message}`)
  })
  if (json) ctx.print(JSON.stringify({ plan, config_file: configFile }))
  else ctx.note(`Signed in (plan ${plan}). The key is in ${configFile}.`)
  if (keyOfEnvironment && keyOfEnvironment !== apiKey) {
    ctx.note('SUBTEXT_API_KEY is set to another key, which takes precedence over the saved one.')
  }
  return OK
}

/** Deletes the saved key from this computer. */
export async function logout(ctx: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { configFile, apiKey } = ctx.environment
  const isDeleted = await deleteLogin(configFile).catch((error: Error) => {
    throw new Error(`${configFile} cannot be deleted: ${error.message}`)
  })
  if (json) ctx.print(JSON.stringify({ deleted: isDeleted, config_file: configFile }))
  else if (isDeleted) {
    ctx.note(`Signed out: ${configFile} has been deleted. The key stays valid until you revoke it in the dashboard.`)
  } else ctx.note('No key was saved.')
  if (apiKey) ctx.note('SUBTEXT_API_KEY is still set, and will be used.')
  return OK
}

/** Returns the usage of the account. Throws if the key is not valid or the service cannot be reached. */
async function tryKey(
  { signal, environment }: CommandContext,
  login: { apiKey: string; baseUrl?: string },
): Promise<CurrentUsage> {
  try {
    const fetch = createProxiedFetch(environment.proxies ?? {})
    return await new Subtext({ ...login, fetch }).usage.current({ signal })
  } catch (error) {
    if (!(error instanceof SubtextError)) throw error
    if (error.code === 'VALIDATION_ERROR') throw new UsageError(error.message)
    if (error instanceof AuthenticationError) {
      throw new Error(
        'The service does not accept this key. It may belong to another service, or be revoked or expired.',
      )
    }
    throw error
  }
}

/** Reads the key from standard input. On a terminal, it is not shown while it is typed. */
const readKey = async (ctx: CommandContext): Promise<string> =>
  ctx.terminal.stdin.isTTY ? ((await readLine(ctx, 'API key: ', { hidden: true })) ?? '') : readInput(ctx)

const format = (value: number): string => value.toLocaleString('en')

/** Prints plan, quotas and the usage of the current month. */
export async function showUsage(ctx: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { usage } = await ctx.connect()
  const current = await usage.current({ signal: ctx.signal })
  if (json) {
    ctx.print(JSON.stringify(current))
    return OK
  }
  const { plan, quotas, current_period: period, rate_limits, spending } = current
  const { limit_usd: limitUsd } = spending.month
  const count = (used: number, limit: number | null): string =>
    limit === null ? format(used) : `${format(used)} of ${format(limit)}`
  const { requests_per_hour: requests } = rate_limits
  ctx.print(
    formatTable([
      ['Plan', plan],
      ['Videos today', count(quotas.daily.used, quotas.daily.limit)],
      ['Videos this month', count(quotas.monthly.used, quotas.monthly.limit)],
      ['Requests this hour', count(requests.used, requests.limit)],
      ['Tokens this month', format(period.total_tokens)],
      ['Cost this month', usd(period.total_cost) + (limitUsd === null ? '' : ` of ${usd(limitUsd)}`)],
    ]),
  )
  return OK
}
