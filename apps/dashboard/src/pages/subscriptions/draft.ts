import type {
  NewSubscription,
  Subscription,
  SubscriptionAction,
  SubscriptionDelivery,
  SubscriptionEmail,
  SubscriptionFilter,
  SubscriptionFormat,
  SubscriptionOptions,
  SubscriptionUpdate,
  VideoOptions,
} from '@subtext/sdk'

/** The rules of a subscription as a form holds them: texts of fields, lists with an entry per line, lengths in minutes. */
export interface SubscriptionDraft {
  action: SubscriptionAction
  types: NonNullable<SubscriptionFilter['types']>
  minMinutes: string
  maxMinutes: string
  titleContains: string
  titleExcludes: string
  words: string
  catchUp: string
  maxPerDay: string
  webhookUrl: string
  format: SubscriptionFormat
  email: SubscriptionEmail | ''
}

export const EMPTY_DRAFT: SubscriptionDraft = {
  action: 'process',
  types: [],
  minMinutes: '',
  maxMinutes: '',
  titleContains: '',
  titleExcludes: '',
  words: '',
  catchUp: '1',
  maxPerDay: '',
  webhookUrl: '',
  format: 'event',
  email: '',
}

/** Returns the changes that a new webhook URL makes: those of Slack and Discord take nothing but messages for them. */
export function changeWebhookUrl(
  webhookUrl: string,
  known: SubscriptionFormat,
): Pick<SubscriptionDraft, 'webhookUrl' | 'format'> {
  const { host } = URL.parse(webhookUrl) ?? {}
  const format = host === 'hooks.slack.com' ? 'slack' : host === 'discord.com' ? 'discord' : known
  return { webhookUrl, format }
}

const toMinutes = (seconds: number | undefined): string => (seconds === undefined ? '' : String(seconds / 60))
const toSeconds = (minutes: string): number => Math.round(Number(minutes) * 60)
const toLines = (texts: readonly string[] = []): string => texts.join('\n')
const ofLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Returns what a form about an existing subscription begins with. */
export function draftOf({ action, filter = {}, match, max_per_day, deliver = {} }: Subscription): SubscriptionDraft {
  return {
    ...EMPTY_DRAFT,
    action,
    types: filter.types ?? [],
    minMinutes: toMinutes(filter.min_duration_seconds),
    maxMinutes: toMinutes(filter.max_duration_seconds),
    titleContains: toLines(filter.title_contains),
    titleExcludes: toLines(filter.title_excludes),
    words: toLines(match?.any),
    maxPerDay: max_per_day === undefined ? '' : String(max_per_day),
    webhookUrl: deliver.webhook_url ?? '',
    format: deliver.format ?? 'event',
    email: deliver.email ?? '',
  }
}

/** Returns the value unless nothing is set in it. */
const unlessEmpty = <T extends object>(value: T): T | null => (Object.keys(value).length > 0 ? value : null)

function filterOf({
  types,
  minMinutes,
  maxMinutes,
  titleContains,
  titleExcludes,
}: SubscriptionDraft): SubscriptionFilter | null {
  const [title_contains, title_excludes] = [ofLines(titleContains), ofLines(titleExcludes)]
  return unlessEmpty({
    ...(types.length > 0 && { types }),
    ...(minMinutes !== '' && { min_duration_seconds: toSeconds(minMinutes) }),
    ...(maxMinutes !== '' && { max_duration_seconds: toSeconds(maxMinutes) }),
    ...(title_contains.length > 0 && { title_contains }),
    ...(title_excludes.length > 0 && { title_excludes }),
  })
}

function deliveryOf({ webhookUrl, format, email }: SubscriptionDraft): SubscriptionDelivery | null {
  const webhook_url = webhookUrl.trim()
  return unlessEmpty({ ...(webhook_url !== '' && { webhook_url, format }), ...(email !== '' && { email }) })
}

/** Returns the rules of a draft, with null for those that it does not have. */
function rulesOf(draft: SubscriptionDraft) {
  const words = ofLines(draft.words)
  return {
    action: draft.action,
    filter: filterOf(draft),
    // What is said in a video is known only after it has been processed.
    match: draft.action === 'process' && words.length > 0 ? { any: words } : null,
    max_per_day: draft.maxPerDay === '' ? null : Number(draft.maxPerDay),
    deliver: deliveryOf(draft),
  }
}

/** Returns the request that follows a source. */
export function toNewSubscription(
  draft: SubscriptionDraft,
  options: VideoOptions,
  source: { source_id: string } | { url: string },
): NewSubscription {
  const { action, ...rules } = rulesOf(draft)
  const set = Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== null))
  return {
    ...source,
    action,
    ...(action === 'process' && { options }),
    catch_up: Number(draft.catchUp),
    ...set,
  }
}

/** Returns the request that changes a subscription: `known` are its options, some of which the form does not show. */
export function toUpdate(
  draft: SubscriptionDraft,
  shown: VideoOptions,
  known: SubscriptionOptions,
): SubscriptionUpdate {
  const {
    summary_modes: _modes,
    templates: _templates,
    generate_infographic: _picture,
    output_language: _language,
    ...hidden
  } = known
  return { ...rulesOf(draft), options: { ...hidden, ...shown } }
}
