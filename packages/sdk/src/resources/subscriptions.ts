import type {
  CreatedFeed,
  CursorPagination,
  Feed,
  FeedList,
  NewFeed,
  NewSubscription,
  SourceCheck,
  SourceChecks,
  Subscription,
  SubscriptionItem,
  SubscriptionItemState,
  SubscriptionItems,
  SubscriptionList,
  SubscriptionUpdate,
} from '../generated/types.ts'
import { encodeId } from '../http/encode-id.ts'
import { createList, type List } from '../http/pages.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'

const pathOf = (subscriptionId: string): string => `/subscriptions/${encodeId(subscriptionId)}`

/** What is done with the new videos of playlists and channels. */
export class Subscriptions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Follows a playlist or a channel, by its `source_id` or `url`. */
  create(subscription: NewSubscription, options: RequestOptions = {}): Promise<Subscription> {
    return this.#transport.json({
      ...options,
      method: 'POST',
      path: '/subscriptions',
      body: subscription,
      creates: true,
    })
  }

  /** Lists the account's subscriptions, newest first. `limit`: subscriptions per page, 1 to 100. */
  list({ limit = 100 }: { limit?: number } = {}, options: RequestOptions = {}): List<Subscription> {
    return createList('subscriptions', (cursor) =>
      this.#transport.json<SubscriptionList>({
        ...options,
        method: 'GET',
        path: '/subscriptions/',
        query: { limit, cursor },
      }),
    )
  }

  /** Returns a subscription. */
  get(subscriptionId: string, options: RequestOptions = {}): Promise<Subscription> {
    return this.#transport.json({ ...options, method: 'GET', path: pathOf(subscriptionId) })
  }

  /** Changes a subscription. */
  update(subscriptionId: string, changes: SubscriptionUpdate, options: RequestOptions = {}): Promise<Subscription> {
    return this.#transport.json({ ...options, method: 'PATCH', path: pathOf(subscriptionId), body: changes })
  }

  /** Ends a subscription. Jobs that it has submitted stay. */
  delete(subscriptionId: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.none({ ...options, method: 'DELETE', path: pathOf(subscriptionId), dataIfGone: null })
  }

  /** Pauses a subscription. Jobs that it has submitted go on. */
  pause(subscriptionId: string, options: RequestOptions = {}): Promise<Subscription> {
    return this.#act(subscriptionId, 'pause', options)
  }

  /** Resumes a subscription, with the videos that it has missed. */
  resume(subscriptionId: string, options: RequestOptions = {}): Promise<Subscription> {
    return this.#act(subscriptionId, 'resume', options)
  }

  /** Has the source looked at now. */
  check(subscriptionId: string, options: RequestOptions = {}): Promise<Subscription> {
    return this.#act(subscriptionId, 'check', options)
  }

  #act(subscriptionId: string, action: string, options: RequestOptions): Promise<Subscription> {
    return this.#transport.json({ ...options, method: 'POST', path: `${pathOf(subscriptionId)}/${action}` })
  }

  /** Lists every video that a subscription has seen, newest first, and what became of it. `limit`: items per page, 1 to 100. */
  items(
    subscriptionId: string,
    { state, limit = 100 }: { state?: SubscriptionItemState; limit?: number } = {},
    options: RequestOptions = {},
  ): List<SubscriptionItem, CursorPagination> {
    return createList('items', (cursor) =>
      this.#transport.json<SubscriptionItems>({
        ...options,
        method: 'GET',
        path: `${pathOf(subscriptionId)}/items`,
        query: { state, limit, cursor },
      }),
    )
  }

  /** Tries an item again at once. */
  retry(subscriptionId: string, videoId: string, options: RequestOptions = {}): Promise<SubscriptionItem> {
    const path = `${pathOf(subscriptionId)}/items/${encodeId(videoId)}/retry`
    return this.#transport.json({ ...options, method: 'POST', path })
  }

  /** Lists when the source was looked at, how, and what was found, newest first. `limit`: checks per page, 1 to 100. */
  checks(
    subscriptionId: string,
    { limit = 100 }: { limit?: number } = {},
    options: RequestOptions = {},
  ): List<SourceCheck, CursorPagination> {
    return createList('checks', (cursor) =>
      this.#transport.json<SourceChecks>({
        ...options,
        method: 'GET',
        path: `${pathOf(subscriptionId)}/checks`,
        query: { limit, cursor },
      }),
    )
  }
}

/** Addresses at which feed readers find what the account has processed. */
export class Feeds {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a feed of a subscription, a source, or all videos. Only this response has its addresses. */
  create(feed: NewFeed, options: RequestOptions = {}): Promise<CreatedFeed> {
    return this.#transport.json({ ...options, method: 'POST', path: '/feeds', body: feed, creates: true })
  }

  /** Returns the account's feeds, newest first. */
  async list(options: RequestOptions = {}): Promise<Feed[]> {
    const { feeds } = await this.#transport.json<FeedList>({ ...options, method: 'GET', path: '/feeds/' })
    return feeds
  }

  /** Ends a feed: its addresses stop working at once. */
  delete(feedId: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.none({ ...options, method: 'DELETE', path: `/feeds/${encodeId(feedId)}`, dataIfGone: null })
  }
}
