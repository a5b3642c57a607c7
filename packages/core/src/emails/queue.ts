import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { SecretBox } from '../webhooks/secret-box.ts'
import { insertEmail } from './emails-sql.ts'
import type { EmailData, EmailKind } from './kinds.ts'

/** Notices are worth sending even after days without a mail server. */
const NOTICE_LIFETIME_MS = 3 * 86_400_000

export interface NewNotice<K extends EmailKind> {
  userId: string | null
  recipient: string
  kind: K
  data: EmailData[K]
  /** Identifies the occasion, if there must be only one email about it. */
  dedupeKey?: string
}

/** Queues an email without a link. Call it in the transaction that causes the email. */
export async function queueNotice<K extends EmailKind>(sql: Sql, now: Date, notice: NewNotice<K>): Promise<void> {
  await insertEmail(sql, {
    ...notice,
    id: newId(),
    createdAt: now,
    expiresAt: new Date(now.getTime() + NOTICE_LIFETIME_MS),
  })
}

export interface NewLink {
  userId: string | null
  recipient: string
  kind: EmailKind
  /** Stored encrypted, until the email is sent. */
  link: string
  /** When the link expires, which makes the email useless. */
  expiresAt: Date
}

/** Queues an email with a link that works like a password until it expires. */
export async function queueLink(
  sql: Sql,
  secretBox: SecretBox,
  now: Date,
  { userId, recipient, kind, link, expiresAt }: NewLink,
): Promise<void> {
  const id = newId()
  const sealed = { bytes: secretBox.seal(link, placeOf(id)), keyId: secretBox.keyId }
  await insertEmail(sql, { id, userId, recipient, kind, data: {}, sealed, createdAt: now, expiresAt })
}

/** Binds a sealed link to its row. */
export const placeOf = (id: string): string => `emails ${id}`
