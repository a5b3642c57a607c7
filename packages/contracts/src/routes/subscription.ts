import { z } from 'zod'
import { text } from '../text.ts'
import { Priority, SummaryMode } from '../vocabulary.ts'
import { JobError } from './job.ts'
import { SourceVideoType } from './sources.ts'
import { MAX_URL_LENGTH, VideoOptions, WebhookUrl } from './submit-video.ts'

/** Subscriptions of an account, and its feeds. */
export const MAX_SUBSCRIPTIONS = 50
export const MAX_CATCH_UP = 20
const MAX_PER_DAY = 100
const MAX_WORDS = 20
const MAX_SECONDS = 1_000_000

const SubscriptionAction = z.enum(['process', 'notify']).meta({
  id: 'SubscriptionAction',
  description: '`process`: new videos are processed like those you submit. `notify`: they are only reported.',
})
export type SubscriptionAction = z.infer<typeof SubscriptionAction>

const seconds = z.int().min(0).max(MAX_SECONDS)
const words = z
  .array(z.string().trim().pipe(text(200, 1)))
  .min(1)
  .max(MAX_WORDS)

export const SubscriptionFilter = z
  .strictObject({
    types: z.array(SourceVideoType).min(1).max(4).optional().meta({ description: 'Only videos of these types.' }),
    min_duration_seconds: seconds.optional().meta({ description: 'Only videos that are known to be so long.' }),
    max_duration_seconds: seconds.optional().meta({ description: 'Only videos that are known not to be longer.' }),
    title_contains: words
      .optional()
      .meta({ description: 'Only videos with any of these in their titles, in any case.' }),
    title_excludes: words.optional().meta({ description: 'Only videos with none of these in their titles.' }),
  })
  .superRefine(({ min_duration_seconds: min, max_duration_seconds: max }, { addIssue }) => {
    if (min === undefined || max === undefined || min <= max) return
    addIssue({ code: 'custom', path: ['max_duration_seconds'], message: 'Must not be below `min_duration_seconds`.' })
  })
  .meta({ id: 'SubscriptionFilter', description: 'All conditions have to be met. Other videos are skipped.' })
export type SubscriptionFilter = z.output<typeof SubscriptionFilter>

export const MATCH_NEEDS_PROCESS = '`match` needs `action: "process"`.'

export const SubscriptionMatch = z.strictObject({ any: words }).meta({
  id: 'SubscriptionMatch',
  description:
    'Words and phrases to look for in what is said, as whole words and folded as in searches of the library. Needs `action: "process"`.',
})
export type SubscriptionMatch = z.output<typeof SubscriptionMatch>

const DeliveryFormat = z.enum(['event', 'slack', 'discord']).meta({
  id: 'SubscriptionFormat',
  description: '`slack` and `discord` send the same facts in the body that incoming webhooks of those services take.',
})
export type SubscriptionFormat = z.infer<typeof DeliveryFormat>

const SubscriptionEmail = z.enum(['each', 'daily', 'weekly']).meta({
  id: 'SubscriptionEmail',
  description:
    '`each`: an email for every video. `daily`, `weekly`: a digest at 07:00 in the time zone of your account, weekly on Mondays.',
})
export type SubscriptionEmail = z.infer<typeof SubscriptionEmail>

export const SubscriptionDelivery = z
  .strictObject({
    webhook_url: WebhookUrl.optional().meta({
      format: 'uri',
      description: 'Public http(s) URL that receives the `subscription.*` events.',
    }),
    format: DeliveryFormat.optional().meta({ default: 'event' }),
    email: SubscriptionEmail.optional(),
  })
  .superRefine(({ webhook_url, format = 'event' }, { addIssue }) => {
    if (webhook_url !== undefined || format === 'event') return
    addIssue({
      code: 'custom',
      path: ['webhook_url'],
      message: `\`deliver.format: "${format}"\` needs \`deliver.webhook_url\`.`,
    })
  })
  .meta({ id: 'SubscriptionDelivery' })
export type SubscriptionDelivery = z.output<typeof SubscriptionDelivery>

const PauseReason = z.enum(['requested', 'plan']).meta({
  id: 'SubscriptionPauseReason',
  description: '`requested`: you have paused it. `plan`: the plan of your account no longer includes subscriptions.',
})

/** The options of its jobs as they are stored, without what a request may leave out. */
const StoredOptions = z
  .object({
    ...VideoOptions.shape,
    summary_modes: z.array(SummaryMode),
    language: z.string().optional(),
    output_language: z.string().optional(),
    templates: z.array(z.string()).optional(),
  })
  .meta({ id: 'SubscriptionOptions' })

export const Subscription = z
  .object({
    subscription_id: z.uuid(),
    source_id: z.uuid(),
    source_title: z.string().optional(),
    source_url: z.url(),
    action: SubscriptionAction,
    options: StoredOptions,
    priority: Priority,
    filter: SubscriptionFilter.optional(),
    match: SubscriptionMatch.optional(),
    catch_up: z.int().min(0).max(MAX_CATCH_UP),
    max_per_day: z.int().min(1).max(MAX_PER_DAY).optional(),
    deliver: SubscriptionDelivery.optional(),
    status: z.enum(['active', 'paused']).meta({ id: 'SubscriptionStatus' }),
    reason: PauseReason.optional(),
    last_checked_at: z.iso.datetime().optional(),
    next_check_at: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When its source is looked at next. May have passed.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Subscription' })
export type Subscription = z.infer<typeof Subscription>

export const SUBSCRIPTION_ITEM_STATES = ['processed', 'notified', 'skipped', 'waiting', 'failed'] as const
export const ItemState = z.enum(SUBSCRIPTION_ITEM_STATES).meta({
  id: 'SubscriptionItemState',
  description: '`waiting`: it is going to be processed; `reason` says what it waits for.',
})
export type SubscriptionItemState = z.infer<typeof ItemState>

export const SubscriptionMatchMoment = z
  .object({
    start: z.number().min(0).meta({ description: 'Seconds.' }),
    url: z.string().meta({ description: 'Link to the moment.' }),
    text: z.string(),
  })
  .meta({ id: 'SubscriptionMatchMoment' })
export type SubscriptionMatchMoment = z.infer<typeof SubscriptionMatchMoment>

export const SubscriptionItem = z
  .object({
    video_id: z.string(),
    video_url: z.url(),
    title: z.string(),
    type: SourceVideoType,
    published_at: z.iso.datetime().optional(),
    state: ItemState,
    reason: z
      .string()
      .optional()
      .meta({
        description: [
          'Why it is in this state. Skipped: `before_subscription`, the rule of the filter (`types`, `title_contains`, ...),',
          '`members_only`, `private`, `deleted`. Waiting: `queued`, `processing`, `details` (what the filter asks for is not known yet),',
          '`not_started`, `live`, `no_captions_yet`, `quota`, `spend`, `max_per_day`, `platform`, `account`. Failed: the code of the job in lower case, or what it waited for.',
        ].join(' '),
      }),
    next_try_at: z.iso.datetime().optional(),
    job_id: z.uuid().optional(),
    matches: z.array(SubscriptionMatchMoment).optional().meta({
      description: 'Where the words and phrases are said, if the subscription looks for any. At most 20.',
    }),
    first_seen_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'SubscriptionItem' })
export type SubscriptionItem = z.infer<typeof SubscriptionItem>

export const CHECK_METHODS = ['rss', 'listing'] as const
export const SourceCheck = z
  .object({
    checked_at: z.iso.datetime(),
    method: z.enum(CHECK_METHODS).meta({ id: 'SourceCheckMethod' }),
    reason: z.string().optional().meta({
      description:
        'Why the source was listed: `first`, `requested`, `daily`, `playlist`, `feed` (podcasts), `rss_failed`, `all_new`, `details`.',
    }),
    outcome: z.enum(['ok', 'failed']).meta({ id: 'SourceCheckOutcome' }),
    videos_seen: z.int().min(0).optional(),
    new_videos: z.int().min(0).optional(),
    error: JobError.optional(),
  })
  .meta({ id: 'SourceCheck' })
export type SourceCheck = z.infer<typeof SourceCheck>

const optionsOf = VideoOptions.meta({ description: 'As in `POST /videos/process`.' })
const maxPerDay = z.int().min(1).max(MAX_PER_DAY)
const MAX_PER_DAY_TEXT = 'Maximum number of videos per UTC day. Others wait until the next one.'

export const NewSubscription = z
  .strictObject({
    source_id: z.string().min(1).max(64).optional().meta({ format: 'uuid', description: 'From `POST /sources`.' }),
    url: text(MAX_URL_LENGTH, 1)
      .optional()
      .meta({ description: 'Instead of `source_id`: what `POST /sources` takes.' }),
    action: SubscriptionAction,
    options: optionsOf.prefault({}),
    priority: Priority.default('normal'),
    filter: SubscriptionFilter.optional(),
    match: SubscriptionMatch.optional(),
    catch_up: z.int().min(0).max(MAX_CATCH_UP).default(0).meta({
      description: 'How many of the newest videos that exist already are treated as new.',
    }),
    max_per_day: maxPerDay.optional().meta({ description: MAX_PER_DAY_TEXT }),
    deliver: SubscriptionDelivery.optional(),
  })
  .superRefine(({ source_id, url, action, match }, { addIssue }) => {
    if (source_id === undefined && url === undefined) {
      addIssue({ code: 'custom', path: ['source_id'], message: 'Send `source_id` or `url`.' })
    }
    if (source_id !== undefined && url !== undefined) {
      addIssue({ code: 'custom', path: ['url'], message: 'Send `source_id` or `url`, not both.' })
    }
    if (match !== undefined && action !== 'process') {
      addIssue({ code: 'custom', path: ['match'], message: MATCH_NEEDS_PROCESS })
    }
  })
  .meta({ id: 'NewSubscription' })
export type NewSubscription = z.output<typeof NewSubscription>

export const SubscriptionUpdate = z
  .strictObject({
    action: SubscriptionAction.optional(),
    options: optionsOf.optional(),
    priority: Priority.optional(),
    filter: SubscriptionFilter.nullish().meta({ description: '`null` removes it.' }),
    match: SubscriptionMatch.nullish().meta({ description: '`null` removes it.' }),
    max_per_day: maxPerDay.nullish().meta({ description: `${MAX_PER_DAY_TEXT} \`null\`: no limit.` }),
    deliver: SubscriptionDelivery.nullish().meta({ description: 'Replaces it as a whole. `null` removes it.' }),
  })
  .meta({ id: 'SubscriptionUpdate' })
export type SubscriptionUpdate = z.output<typeof SubscriptionUpdate>
