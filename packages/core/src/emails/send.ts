import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import type { SecretBox } from '../webhooks/secret-box.ts'
import { type ClaimedEmail, claimEmails, endEmail, postponeEmail } from './emails-sql.ts'
import { placeOf } from './queue.ts'

/** An email as it is handed to the mail server. */
export interface OutgoingEmail {
  /** Stays the same for every attempt. */
  id: string
  recipient: string
  kind: string
  data: Record<string, unknown>
  link: string | null
  createdAt: Date
}

/** Thrown when the mail server will never accept this email. */
export class UndeliverableError extends Error {}

/** Outcomes of an attempt to send an email. */
export const EMAIL_OUTCOMES = ['sent', 'postponed', 'refused', 'expired'] as const
export type EmailOutcome = (typeof EMAIL_OUTCOMES)[number]

export interface EmailSenderOptions {
  /** Hands an email to the mail server. Throws `UndeliverableError` if retrying is useless. */
  deliver: (email: OutgoingEmail) => Promise<void>
  secretBox: SecretBox
  /** Called after every attempt. */
  onAttempt?: (outcome: EmailOutcome) => void
  /** How often to look for emails that other processes have queued, in milliseconds. */
  pollMs?: number
}

export interface EmailSender {
  /** Sends emails that are due without waiting for the next poll. */
  wake(): void
  /** Finishes the emails that are being sent, and stops. */
  close(): Promise<void>
}

const POLL_MS = 5_000
const CLAIMED_AT_ONCE = 5
/** Longer than `deliver` takes: an email must not be sent by two processes. */
const LEASE_SECONDS = 120
const RETRY_SECONDS = [5, 30, 120, 600, 1_800, 3_600]

type SenderContext = Pick<Context, 'db' | 'clock' | 'log'>

/**
 * Sends queued emails until it is closed. Any number of processes may do so at once. An email whose sender dies between
 * handing it over and recording that is sent again, with the same `Message-ID`; every other one is sent once.
 */
export function createEmailSender(ctx: SenderContext, options: EmailSenderOptions): EmailSender {
  const { pollMs = POLL_MS } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isDue = false
  let isClosed = false

  const run = async (): Promise<void> => {
    do {
      isDue = false
      try {
        while (!isClosed && (await sendSome(ctx, options)) === CLAIMED_AT_ONCE) {
          // More may be due.
        }
      } catch (error) {
        ctx.log.warn('emails not sent yet', { error: (error as Error).message })
      }
    } while (isDue && !isClosed)
    running = undefined
    if (!isClosed) timer = setTimeout(wake, pollMs).unref()
  }
  const wake = (): void => {
    if (isClosed) return
    clearTimeout(timer)
    isDue = true
    running ??= run()
  }
  wake()
  return {
    wake,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Returns how many emails were claimed. */
async function sendSome(ctx: SenderContext, options: EmailSenderOptions): Promise<number> {
  const token = randomId()
  const claim = { token, now: ctx.clock(), leaseSeconds: LEASE_SECONDS, limit: CLAIMED_AT_ONCE }
  const claimed = await claimEmails(ctx.db, claim)
  await Promise.all(claimed.map((email) => sendOne(ctx, options, email, token)))
  return claimed.length
}

async function sendOne(
  ctx: SenderContext,
  { deliver, secretBox, onAttempt }: EmailSenderOptions,
  email: ClaimedEmail,
  token: string,
): Promise<void> {
  const { id, recipient, kind, data, createdAt } = email
  const end = async (outcome: EmailOutcome, error: string | null): Promise<void> => {
    onAttempt?.(outcome)
    await endEmail(ctx.db, { id, token, now: ctx.clock(), error })
  }
  const postpone = async (error: string): Promise<void> => {
    ctx.log.warn('email not sent', { email: id, kind, attempt: email.attempt, error })
    onAttempt?.('postponed')
    const pause = RETRY_SECONDS[Math.min(email.attempt, RETRY_SECONDS.length) - 1] ?? 0
    await postponeEmail(ctx.db, { id, token, at: new Date(ctx.clock().getTime() + pause * 1_000) })
  }
  if (email.expiresAt <= ctx.clock()) return end('expired', 'expired')
  const link = email.sealed && email.keyId !== null ? secretBox.open(email.sealed, email.keyId, placeOf(id)) : null
  // Another process may have the key: while keys are being rotated, not all processes have the same ones.
  if (email.sealed && link === null) return postpone('Its link cannot be decrypted.')
  try {
    await deliver({ id, recipient, kind, data, link, createdAt })
  } catch (error) {
    const { message } = error as Error
    if (!(error instanceof UndeliverableError)) return postpone(message)
    ctx.log.warn('email refused', { email: id, kind, attempt: email.attempt, error: message })
    return end('refused', message)
  }
  await end('sent', null)
}
