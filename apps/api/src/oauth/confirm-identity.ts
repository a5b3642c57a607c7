import { ServiceError } from '@subtext/contracts'
import { assertRecentSignIn } from '@subtext/core/accounts'
import type { SignedInActor } from '@subtext/core/context'
import { clientNetwork } from '@subtext/runtime'
import type { Request } from 'express'
import type { ApiContext } from '../context.ts'

const CONFIRM_PATH = '/verify-password'

/**
 * Returns the person if they have signed in recently, or have sent their password now, which counts as signing in. Otherwise returns
 * why not.
 */
export async function confirmIdentity(
  ctx: ApiContext,
  actor: SignedInActor,
  request: Request,
  password: string | undefined,
): Promise<{ actor: SignedInActor } | { problem: string | undefined; error: ServiceError }> {
  try {
    assertRecentSignIn(actor, ctx.clock())
    return { actor }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (password === undefined || !ctx.signIn) return { problem: undefined, error }
    try {
      const isRight = await isPassword(ctx, request, password)
      const session = isRight ? await ctx.signIn.verify(request.headers.cookie) : null
      return session ? { actor: session.actor } : { problem: 'The password is wrong.', error }
    } catch (refusal) {
      if (!(refusal instanceof ServiceError) || refusal.code !== 'RATE_LIMITED') throw refusal
      return { problem: refusal.message, error: refusal }
    }
  }
}

/** Returns whether this is the password of the person whose session has sent the request. Throws `RATE_LIMITED`. */
async function isPassword(ctx: ApiContext, { headers, ip = '' }: Request, password: string): Promise<boolean> {
  const { findEndpoints } = await import('@subtext/accounts')
  const [endpoint] = findEndpoints(CONFIRM_PATH)
  const body = endpoint?.body?.safeParse({ password })
  if (!endpoint || !body?.success || !ctx.signIn) return false
  const service = await ctx.signIn.load()
  const { cookie, origin, 'user-agent': userAgent } = headers
  const { status } = await service.handle(endpoint, {
    path: CONFIRM_PATH,
    search: '',
    headers: { cookie, origin, 'user-agent': userAgent },
    body: body.data,
    address: ip,
    network: clientNetwork(ip),
  })
  return status < 400
}
