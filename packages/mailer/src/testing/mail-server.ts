import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { waitUntil } from '@subtext/embedded/testing'
import { SMTPServer } from 'smtp-server'
import { type ParsedEmail, parseEmail } from './parse-email.ts'

export interface ReceivedEmail extends ParsedEmail {
  from: string
  /** The address to which it was delivered. */
  to: string
}

type Step = 'sign-in' | 'sender' | 'recipient' | 'message'

export interface MailServer {
  /** For `SMTP_URL`. */
  url: string
  received: ReceivedEmail[]
  /** Waits for the next email to this address that has not been returned yet. */
  next(to: string): Promise<ReceivedEmail>
  /**
   * Makes the server refuse this step of every email, by default the message, with this code, for good from 500 on. Null makes
   * it accept them again.
   */
  refuse(code: number | null, step?: Step, reason?: string): void
  close(): Promise<void>
}

/** Starts an SMTP server that keeps what it receives. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedEmail[] = []
  const unread: ReceivedEmail[] = []
  let refusal: { code: number; step: Step; reason: string } | null = null
  const refusalOf = (step: Step): Error | null =>
    refusal?.step === step ? Object.assign(new Error(refusal.reason), { responseCode: refusal.code }) : null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username }, _session, done) => done(refusalOf('sign-in'), { user: username }),
    onMailFrom: (_address, _session, done) => done(refusalOf('sender')),
    onRcptTo: (_address, _session, done) => done(refusalOf('recipient')),
    async onData(stream, session, done) {
      const raw = await buffer(stream)
      const refused = refusalOf('message')
      if (refused) return done(refused)
      const { mailFrom, rcptTo } = session.envelope
      for (const { address } of rcptTo) {
        const email = { ...parseEmail(raw.toString()), from: mailFrom ? mailFrom.address : '', to: address }
        received.push(email)
        unread.push(email)
      }
      return done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    async next(to) {
      await waitUntil(`an email to ${to}`, () => unread.some((email) => email.to === to))
      const [email] = unread.splice(
        unread.findIndex((each) => each.to === to),
        1,
      )
      if (!email) throw new Error('unreachable')
      return email
    },
    refuse(code, step = 'message', reason = 'refused') {
      refusal = code === null ? null : { code, step, reason }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
