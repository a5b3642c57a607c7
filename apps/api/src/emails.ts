import type { Context } from '@subtext/core/context'
import { createEmailSender, type EmailSender, type OutgoingEmail } from '@subtext/core/emails'
import type { SecretBox } from '@subtext/core/webhooks'
import type { ApiEnv } from './env.ts'
import type { ApiMetrics } from './metrics.ts'

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
