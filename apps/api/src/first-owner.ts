import { createFirstOwnerLink, firstOwnerUrl } from '@subtext/core/accounts'
import type { ApiContext } from './context.ts'

/** Logs the link with which the first account is created, as long as nobody has signed in. */
export async function announceFirstOwner(ctx: Pick<ApiContext, 'db' | 'clock' | 'log' | 'http'>): Promise<void> {
  try {
    const link = await createFirstOwnerLink(ctx)
    if (!link) return
    ctx.log.warn('nobody has signed in yet: create the first account, that of an operator, at this address', {
      address: firstOwnerUrl(ctx.http.publicBaseUrl, link),
      works_until: link.expiresAt.toISOString(),
    })
  } catch (error) {
    // The database may be unavailable. The next start, or a command, creates a link.
    ctx.log.warn('link for the first owner not created', { error: (error as Error).message })
  }
}
