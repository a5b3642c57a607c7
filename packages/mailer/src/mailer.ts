import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type OutgoingEmail, UndeliverableError } from '@subtext/core/emails'
import { createTransport } from 'nodemailer'
import { renderEmail } from './render.ts'
import { writeContent } from './templates.ts'

export interface MailerOptions {
  /** Server that sends the emails. If undefined, they are written to `directory`. */
  smtpUrl: string | undefined
  directory: string
  /** Sender, as in `Subtext <no-reply@example.org>`. */
  from: string
  /** Public origin of the service. */
  origin: string
  /** Called with the path of a file that was written. */
  onFile: (file: string, kind: string) => void
}

/** Timeouts: long enough for slow servers, and together shorter than an email's lease. */
const CONNECT_TIMEOUT_MS = 10_000
const SOCKET_TIMEOUT_MS = 30_000
const FIRST_PERMANENT_CODE = 500

/**
 * Creates the function that sends an email, with a plain-text and an HTML part. It throws `UndeliverableError` if the server
 * refuses the email for good.
 */
export function createMailer(options: MailerOptions): (email: OutgoingEmail) => Promise<void> {
  const { smtpUrl, from, origin } = options
  const compose = (email: OutgoingEmail) => ({
    from,
    to: { name: '', address: email.recipient },
    messageId: `<${email.id}@${new URL(origin).hostname}>`,
    date: email.createdAt,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...renderEmail(writeContent(email.kind, email.data, { origin, link: email.link }), origin),
  })
  if (smtpUrl === undefined) return (email) => writeFileFor(options, email, compose(email))
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (email) => {
    try {
      await transport.sendMail(compose(email))
    } catch (error) {
      const { message, responseCode } = error as Error & { responseCode?: number }
      if ((responseCode ?? 0) >= FIRST_PERMANENT_CODE) throw new UndeliverableError(message, { cause: error })
      throw error
    }
  }
}

/** Writes an email to a file of its own, which appears when it is complete. */
async function writeFileFor(
  { directory, onFile }: Pick<MailerOptions, 'directory' | 'onFile'>,
  { id, kind, createdAt }: OutgoingEmail,
  message: object,
): Promise<void> {
  const { message: content } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const name = `${createdAt.toISOString().replaceAll(':', '-')}-${kind}-${id.slice(-6)}.eml`
  const file = resolve(directory, name)
  const unfinished = join(directory, `.${name}.${process.pid}`)
  await writeFile(unfinished, content as Buffer, { mode: 0o600 })
  await rename(unfinished, file)
  onFile(file, kind)
}
