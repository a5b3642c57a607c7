import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from '@subtext/core/context'
import { createEmailSender, type EmailSender, type OutgoingEmail } from '@subtext/core/emails'
import type { SecretBox } from '@subtext/core/webhooks'
import type { ApiEnv } from './env.ts'
import type { ApiMetrics } from './metrics.ts'

/** Creates the function that returns why no email can be sent at the moment; null if it can. */
export const createMailCheck =
  ({ SMTP_URL, MAIL_DIR }: Pick<ApiEnv, 'SMTP_URL' | 'MAIL_DIR'>) =>
  async (): Promise<string | null> => {
    if (SMTP_URL !== undefined) return null
    const directory = resolve(MAIL_DIR)
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await access(directory, constants.W_OK | constants.X_OK)
      return null
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return `SMTP_URL is not set, and emails cannot be written to MAIL_DIR, which is ${directory} (${code}).`
    }
  }

/** Warns if no email can be sent. The service works without: people then sign in with links that an operator creates. */
export async function reportMailProblem(env: ApiEnv, log: Pick<Context['log'], 'warn'>): Promise<void> {
  const problem = await createMailCheck(env)()
  if (problem !== null) log.warn('no email can be sent', { reason: problem })
}

/** Starts sending queued emails. The library for that is loaded with the first one. */
export function startEmailSender(
  env: ApiEnv,
  base: Context,
  { publicBaseUrl, secretBox, metrics }: { publicBaseUrl: string; secretBox: SecretBox; metrics: ApiMetrics },
): EmailSender {
  let sending: Promise<(email: OutgoingEmail) => Promise<void>> | undefined
  const load = async () => {
    const { createMailer } = await import('@subtext/mailer')
    return createMailer({
      smtpUrl: env.SMTP_URL,
      directory: env.MAIL_DIR,
      from: env.MAIL_FROM ?? `Subtext <no-reply@${new URL(publicBaseUrl).hostname}>`,
      origin: publicBaseUrl,
      onFile: (file, kind) => base.log.info('email written to a file', { file, kind }),
    })
  }
  return createEmailSender(base, {
    secretBox,
    onAttempt: metrics.countEmail,
    async deliver(email) {
      sending ??= load()
      await (await sending)(email)
    },
  })
}
