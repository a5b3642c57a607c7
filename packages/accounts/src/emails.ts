import { type EmailData, type EmailKind, queueLink, queueNotice } from '@subtext/core/emails'
import type { AccountsContext } from './context.ts'

/** Sends a link that works for `minutes`. */
export async function sendLink(
  ctx: AccountsContext,
  kind: EmailKind,
  { recipient, link, minutes }: { recipient: string; link: string; minutes: number },
): Promise<void> {
  const now = ctx.clock()
  const expiresAt = new Date(now.getTime() + minutes * 60_000)
  await queueLink(ctx.db, ctx.secretBox, now, { userId: null, recipient, kind, link, expiresAt })
  ctx.wakeSender()
}

/** Sends an email without a link of its own. */
export async function sendNotice<K extends EmailKind>(
  ctx: AccountsContext,
  kind: K,
  recipient: string,
  data: EmailData[K],
): Promise<void> {
  await queueNotice(ctx.db, ctx.clock(), { userId: null, recipient, kind, data })
  ctx.wakeSender()
}
