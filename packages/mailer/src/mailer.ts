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
/** A server that refuses an earlier step, such as the sign-in or the sender, refuses every email until a setting is corrected. */
const STEPS_OF_ONE_EMAIL = new Set(['RCPT TO', 'DATA'])
/** Enhanced codes about the sender and about permissions, which many servers, such as Postfix, only give for the recipient. */
const NOT_ABOUT_RECIPIENT = /^\d{3}[ -]5\.(?:1\.[78]|7\.\d+)\b/
/**
 * Replies of services that give no such codes: SendGrid refuses a sender without an identity, and Amazon SES refuses accounts that
 * may not send, or may not yet send to addresses that it has not verified. SES then names the recipient, but refuses all others, too.
 */
const ABOUT_ACCOUNT =
  /\b(?:senders?|from address|is not verified|sending (?:paused|suspended)|credits exceeded|access denied)\b/i
const ENHANCED_CODE = /^\d{3}[ -]5\.\d+\.\d+\b/

/**
 * Creates the function that sends an email, with a plain-text and an HTML part. It throws `UndeliverableError` if the server
 * refuses the recipient or the message for good.
 */
export function createMailer(options: MailerOptions): (email: OutgoingEmail) => Promise<void> {
  const { smtpUrl, from, origin } = options
  const compose = (email: OutgoingEmail) => {
    const content = writeContent(email.kind, email.data, { origin, link: email.link })
    return {
      from,
      to: { name: '', address: email.recipient },
      messageId: `<${email.id}@${new URL(origin).hostname}>`,
      date: email.createdAt,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(content.stop !== undefined && {
          'List-Unsubscribe': { prepared: true, value: `<${content.stop}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
      ...renderEmail(content, origin),
    }
  }
  if (smtpUrl === undefined) {
    return (email) => {
      const message = compose(email)
      return writeFileFor(options, email, { ...message, text: asWritten(message.text) })
    }
  }
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
      const refusal = error as SmtpError
      throw isFinal(refusal) ? new UndeliverableError(refusal.message, { cause: refusal }) : refusal
    }
  }
}

/** The error of nodemailer: the server's reply, and the step of the dialogue in which it was given. */
type SmtpError = Error & { responseCode?: number; response?: string; command?: string }

const isFinal = ({ responseCode = 0, response = '', command = '' }: SmtpError): boolean =>
  responseCode >= FIRST_PERMANENT_CODE && STEPS_OF_ONE_EMAIL.has(command) && !isAboutAccount(response)

/** Returns whether the server would refuse the emails to all others as well. */
function isAboutAccount(response: string): boolean {
  if (ENHANCED_CODE.test(response)) return NOT_ABOUT_RECIPIENT.test(response)
  // People choose their addresses, which replies repeat.
  const words = response.split(/\s+/).filter((word) => !word.includes('@'))
  return ABOUT_ACCOUNT.test(words.join(' '))
}

/** Returns a plain-text part that is not encoded for transport, which would break long links: people copy them from the file. */
const asWritten = (text: string): { raw: string } => ({
  raw: `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text.replaceAll('\n', '\r\n')}`,
})

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
