/** What each kind of e-mail says, besides its link. */
export interface EmailData {
  /** To somebody who has signed up, with the link that makes the account theirs. */
  confirm_address: Record<string, never>
  /** To the owner of an account, when somebody signs up with its address. */
  account_exists: Record<string, never>
  /** To somebody who cannot sign up, because sign-up is closed or by invitation. */
  not_invited: Record<string, never>
  /** To somebody who wants a new password and has no account. */
  no_account: Record<string, never>
  /** With the link that signs in. */
  sign_in_link: Record<string, never>
  /** With the link that leads to a new password. */
  reset_password: Record<string, never>
  password_changed: Record<string, never>
  key_created: { name: string | null; label: string }
  /** An application was connected, which can act for the account. `place`: where the person was sent with the code. */
  app_connected: { name: string; place: string }
  endpoint_disabled: { url: string }
  quota_reached: { quota: 'daily' | 'monthly'; percent: number; limit: number; resets_at: string }
}
export type EmailKind = keyof EmailData
