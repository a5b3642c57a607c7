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

export interface MailServer {
  /** For `SMTP_URL`. */
  url: string
  received: ReceivedEmail[]
  /** Waits for the next email to this address that has not been returned yet. */
  next(to: string): Promise<ReceivedEmail>
  /** Makes the server refuse emails with this code, for good from 500 on. Null makes it accept them again. */
  refuse(code: number | null): void
  close(): Promise<void>
}

/** Starts an SMTP server that keeps what it receives. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedEmail[] = []
  const unread: ReceivedEmail[] = []
  let refusal: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    async onData(stream, session, done) {
      const raw = await buffer(stream)
      if (refusal !== null) return done(Object.assign(new Error('refused'), { responseCode: refusal }))
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
    refuse(code) {
      refusal = code
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
