import type { SignInWay } from '@subtext/contracts'
import type { SessionCookie, SignInOutcome, VerifySession } from '@subtext/core/accounts'
import type { PrismaContext } from '@subtext/core/context'
import type { SecretBox } from '@subtext/core/webhooks'
import type { AccountSettings } from './settings.ts'

export interface PasswordHashing {
  hash(password: string): Promise<string>
  verify(stored: { hash: string; password: string }): Promise<boolean>
}

/** The dependencies of this package's functions. */
export interface AccountsContext extends Pick<PrismaContext, 'db' | 'clock' | 'log'> {
  settings: AccountSettings
  secretBox: SecretBox
  sessionCookie: SessionCookie
  verifySession: VerifySession
  /** Hashes passwords in place of better-auth's scrypt; in tests only. */
  passwords?: PasswordHashing
  /** Returns why no email can be sent at the moment; null if it can. */
  findMailProblem: () => Promise<string | null>
  /** Called for every attempt to sign in. */
  onSignIn: (way: SignInWay | 'sign_up', outcome: SignInOutcome) => void
  /** Sends queued emails without waiting. */
  wakeSender: () => void
}
