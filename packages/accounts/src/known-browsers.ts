import { createHash, randomBytes } from 'node:crypto'
import { cookieName, openCookie, readCookie, signCookie } from '@subtext/core/accounts'
import type { AuthReply, AuthRequest } from './auth-request.ts'
import type { AccountsContext } from './context.ts'
import { cookiesSetBy } from './count-sign-in.ts'
import { isSecure } from './settings.ts'

/** How long a browser counts as known after its last sign-in. */
const KNOWN_SECONDS = 180 * 86_400
const MAX_ACCOUNTS = 5
const ID_BYTES = 16
const MARK_LENGTH = 22

/** What the cookie of a browser says: which accounts have signed in with it. It names none of them. */
interface KnownBrowser {
  id: string
  marks: string[]
}

const nameOf = ({ settings }: AccountsContext): string => cookieName('known_browser', isSecure(settings))

const markOf = (id: string, email: string): string =>
  createHash('sha256')
    .update(JSON.stringify([id, email]))
    .digest('base64url')
    .slice(0, MARK_LENGTH)

function readKnownBrowser(ctx: AccountsContext, { headers }: Pick<AuthRequest, 'headers'>): KnownBrowser | null {
  const value = readCookie(headers.cookie, nameOf(ctx))
  const content = value === undefined ? null : openCookie(value, ctx.sessionCookie.secret)
  const [kind, until, id, ...marks] = content?.split('~') ?? []
  if (kind !== 'known' || id === undefined || Number(until) <= ctx.clock().getTime()) return null
  return { id, marks }
}

/**
 * Returns an identifier of the browser if somebody has signed in to the account with this address with it before. Strangers cannot
 * use up the attempts of such a browser.
 */
export function findKnownBrowser(ctx: AccountsContext, request: AuthRequest, email: string): string | null {
  const browser = readKnownBrowser(ctx, request)
  return browser?.marks.includes(markOf(browser.id, email)) ? browser.id : null
}

/**
 * Lets the browser remember, if the reply signs somebody in, that it has signed in to this account. A session that is only extended
 * signs nobody in.
 */
export async function rememberBrowser(ctx: AccountsContext, request: AuthRequest, reply: AuthReply): Promise<void> {
  const { name, secret } = ctx.sessionCookie
  const [token] = cookiesSetBy(reply, name).map((value) => openCookie(value, secret))
  const sent = readCookie(request.headers.cookie, name)
  if (!token || (sent !== undefined && openCookie(sent, secret) === token)) return
  // An operator who sees an account for support is not its owner.
  const session = await ctx.db.prisma.session.findUnique({
    where: { token, supportUntil: null },
    select: { user: { select: { email: true } } },
  })
  if (!session) return
  // better-auth knows only the clock of this machine.
  await ctx.db.prisma.session.updateMany({ where: { token }, data: { authenticatedAt: ctx.clock() } })
  const { id, marks } = readKnownBrowser(ctx, request) ?? { id: randomBytes(ID_BYTES).toString('base64url'), marks: [] }
  const mark = markOf(id, session.user.email)
  const until = ctx.clock().getTime() + KNOWN_SECONDS * 1_000
  const kept = [mark, ...marks.filter((each) => each !== mark)].slice(0, MAX_ACCOUNTS)
  const value = signCookie(['known', until, id, ...kept].join('~'), secret)
  const attributes = `Max-Age=${KNOWN_SECONDS}; Path=/; HttpOnly; SameSite=Lax${isSecure(ctx.settings) ? '; Secure' : ''}`
  reply.headers.push(['set-cookie', `${nameOf(ctx)}=${value}; ${attributes}`])
}
