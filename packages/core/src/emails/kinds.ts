/** The data of each kind of email, besides its link. */
export interface EmailData {
  /** To a person who has signed up, with the link that creates the account. */
  confirm_address: Record<string, never>
  /** To the owner of an account, when someone tries to sign up with its address. */
  account_exists: Record<string, never>
  /** To a person who cannot sign up, because sign-up is closed or by invitation. */
  not_invited: Record<string, never>
  /** To a person who has requested a new password and has no account. */
  no_account: Record<string, never>
  /** With the link that signs in. */
  sign_in_link: Record<string, never>
  /** With the link that leads to a new password. */
  reset_password: Record<string, never>
  password_changed: Record<string, never>
  key_created: { name: string | null; label: string }
  /**
   * To the owner of an account, when an application was connected that can act for it. `place`: where the person was sent with
   * the code.
   */
  app_connected: { name: string; place: string }
  endpoint_disabled: { url: string }
  /** About one video of a subscription. `stop`: the page that stops these emails. */
  subscription_video: { source: string; video: ToldVideo; stop: string }
  /**
   * About what has become of the videos of a subscription. `themes`: what several of them speak of; emails that an earlier release has
   * queued have none. `more`: how many videos are not named.
   */
  subscription_digest: { source: string; themes?: ToldTheme[]; videos: ToldVideo[]; more: number; stop: string }
  quota_reached: { quota: 'daily' | 'monthly'; percent: number; limit: number; resets_at: string }
}
/** What an email says of a video of a subscription. */
export interface ToldVideo {
  title: string
  url: string
  state: string
  reason: string | null
  summary: string | null
  matches: { url: string; text: string }[]
}

/** What several videos of a subscription speak of. */
export interface ToldTheme {
  title: string
  points: { text: string; url: string; video: string }[]
}

export type EmailKind = keyof EmailData
