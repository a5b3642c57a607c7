import type { EmailData, EmailKind, ToldTheme, ToldVideo } from '@subtext/core/emails'

/** The content of an email, without markup. */
export interface EmailContent {
  subject: string
  paragraphs: string[]
  /** What the email is about, each with its own link. */
  sections?: EmailSection[]
  /** The page that stops such emails. Mail programs may call it without showing it (RFC 8058). */
  stop?: string
  /** The link that the reader follows next. */
  action?: { label: string; url: string }
  /** Below the action. */
  note?: string
}

export interface EmailSection {
  title: string
  url?: string
  /** Below the title. */
  paragraphs: string[]
  links: { text: string; url: string }[]
}

export interface TemplateContext {
  /** Public origin of the service. */
  origin: string
  link: string | null
}

type Template<K extends EmailKind> = (data: EmailData[K], context: TemplateContext) => EmailContent

const IGNORE = 'If you did not ask for this, ignore this email: nothing happens without the link.'
const PERIODS = { daily: 'today', monthly: 'this month' } as const

const STATES: Record<string, string> = { skipped: 'Skipped', failed: 'Failed', notified: 'New video' }

function describeVideo({ title, url, state, reason, summary, matches }: ToldVideo): EmailSection {
  const why = [STATES[state], reason?.replaceAll('_', ' ')].filter(Boolean).join(': ')
  return {
    title: title || url,
    url,
    paragraphs: [
      ...(why ? [`${why}.`] : []),
      ...(summary ? [summary] : []),
      ...(matches.length > 0 ? ['Mentioned:'] : []),
    ],
    links: matches,
  }
}

/** What readers look for comes first, what they need not read last. */
const rankOf = ({ state, matches }: ToldVideo): number =>
  matches.length > 0 ? 0 : ['processed', 'notified', 'failed'].includes(state) ? 1 : 2

const describeTheme = ({ title, points }: ToldTheme): EmailSection => ({
  title,
  paragraphs: [],
  links: points.map(({ text, url, video }) => ({ text: `${text} (${video})`, url })),
})

const STOP_NOTE = 'You get this email because of a subscription in your Subtext account.'
const count = (value: number): string => value.toLocaleString('en')

/** Emails to others contain nothing that a stranger has typed, so that they cannot be abused for advertisements. */
const TEMPLATES: { [K in EmailKind]: Template<K> } = {
  confirm_address: (_, { link }) => ({
    subject: 'Confirm your email address',
    paragraphs: [
      'Someone, hopefully you, signed up for Subtext with this email address. Confirm the address to create the account.',
    ],
    action: { label: 'Create my account', url: link ?? '' },
    note: `The link works for 24 hours. ${IGNORE} If you follow it, the person who signed up gets an account with your address.`,
  }),
  account_exists: (_, { origin }) => ({
    subject: 'You already have an account',
    paragraphs: [
      'Someone, perhaps you, tried to sign up for Subtext with this email address. You already have an account, and it has not changed.',
    ],
    action: { label: 'Sign in', url: `${origin}/sign-in` },
    note: 'If you have forgotten your password, or never had one, ask for a sign-in link on the sign-in page.',
  }),
  not_invited: () => ({
    subject: 'No account could be created',
    paragraphs: [
      'Someone, perhaps you, tried to sign up for Subtext or to sign in with this email address, which has no account. On this server, accounts are by invitation only. Ask its operator for an invitation.',
    ],
  }),
  no_account: (_, { origin }) => ({
    subject: 'There is no account with this address',
    paragraphs: [
      'Someone, perhaps you, asked to set a new password for a Subtext account with this email address. There is no such account. You may have signed up with another address.',
    ],
    action: { label: 'Sign up', url: `${origin}/sign-up` },
  }),
  sign_in_link: (_, { link }) => ({
    subject: 'Your sign-in link',
    paragraphs: ['Use this link to sign in to Subtext.'],
    action: { label: 'Sign in', url: link ?? '' },
    note: `The link works once, for 15 minutes. ${IGNORE}`,
  }),
  reset_password: (_, { link }) => ({
    subject: 'Choose a new password',
    paragraphs: ['Someone, hopefully you, asked to set a new password for your Subtext account.'],
    action: { label: 'Choose a password', url: link ?? '' },
    note: `The link works once, for one hour. ${IGNORE}`,
  }),
  password_changed: (_, { origin }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your Subtext account has just been changed, and all other sessions have ended.',
      'If it was not you, set a new password with the link below at once, revoke the API keys, disconnect the applications and end the feeds that you do not know.',
    ],
    action: { label: 'Set a new password', url: `${origin}/forgot-password` },
  }),
  key_created: ({ name, label }, { origin }) => ({
    subject: 'A new API key',
    paragraphs: [
      `An API key was created for your Subtext account: ${name === null ? '' : `“${name}”, `}${label}.`,
      'If it was not you, revoke the key and change your password.',
    ],
    action: { label: 'View my keys', url: `${origin}/keys` },
  }),
  app_connected: ({ name, place }, { origin }) => ({
    subject: 'An application was connected',
    paragraphs: [
      `You allowed an application that calls itself “${name}” to use Subtext with your account. You were sent to ${place}.`,
      'If it was not you, disconnect the application and change your password.',
    ],
    action: { label: 'View my applications', url: `${origin}/apps` },
  }),
  endpoint_disabled: ({ url }, { origin }) => ({
    subject: 'A webhook endpoint was disabled',
    paragraphs: [
      `All deliveries to ${url} have failed for days, so Subtext has stopped sending events there. The events are kept.`,
      'When the endpoint works again, redeliver an event: the first successful delivery enables the endpoint again.',
    ],
    action: { label: 'View the deliveries', url: `${origin}/webhooks` },
  }),
  subscription_video: ({ source, video, stop }, { origin }) => ({
    subject: `${video.matches.length > 0 ? 'Mentioned' : 'New video'}: ${video.title || video.url}`,
    paragraphs: source === '' ? [] : [`From ${source}.`],
    sections: [describeVideo(video)],
    action: { label: 'View your subscriptions', url: `${origin}/subscriptions` },
    stop: `${origin}${stop}`,
    note: STOP_NOTE,
  }),
  subscription_digest: ({ source, themes = [], videos, more, stop }, { origin }) => ({
    subject: `${count(videos.length + more)} ${videos.length + more === 1 ? 'video' : 'videos'}${source === '' ? '' : ` from ${source}`}`,
    paragraphs: [
      'What has become of the videos of your subscription:',
      ...(more > 0 ? [`${count(more)} more are not listed here.`] : []),
    ],
    sections: [...themes.map(describeTheme), ...videos.toSorted((a, b) => rankOf(a) - rankOf(b)).map(describeVideo)],
    action: { label: 'View your subscriptions', url: `${origin}/subscriptions` },
    stop: `${origin}${stop}`,
    note: STOP_NOTE,
  }),
  quota_reached: ({ quota, percent, limit, resets_at }, { origin }) => ({
    subject: percent >= 100 ? `Your ${quota} quota is used up` : `${percent}% of your ${quota} quota is used`,
    paragraphs: [
      `You have used ${percent >= 100 ? 'all' : `${percent}% of the`} ${count(limit)} videos that your plan includes ${PERIODS[quota]}.`,
      `The quota is available again from ${resets_at.slice(0, 16).replace('T', ' ')} UTC.`,
    ],
    action: { label: 'View my usage', url: `${origin}/usage` },
  }),
}

/** Returns the content of an email. Throws for a kind that only another version of the service knows. */
export function writeContent(kind: string, data: Record<string, unknown>, context: TemplateContext): EmailContent {
  const template = Object.hasOwn(TEMPLATES, kind) ? TEMPLATES[kind as EmailKind] : undefined
  if (!template) throw new Error(`There is no template for emails of the kind ${kind}.`)
  return (template as (data: unknown, context: TemplateContext) => EmailContent)(data, context)
}
