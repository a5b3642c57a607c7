import type { Feed, feeds } from '@subtext/contracts'
import { createFeed, deleteFeed, feedUrl, listFeeds, readFeedByToken, type StoredFeed } from '@subtext/core/feeds'
import type { ApiContext } from '../context.ts'
import { writeAtomFeed, writeJsonFeed } from '../feeds/write-feed.ts'
import type { Handlers } from '../http/mount.ts'
import { type Reply, replyWithSecret } from '../http/reply.ts'

const presentFeed = ({ id, name, subscriptionId, accountSourceId, createdAt }: StoredFeed): Feed => ({
  feed_id: id,
  ...(name !== null && { name }),
  ...(subscriptionId !== null && { subscription_id: subscriptionId }),
  ...(accountSourceId !== null && { source_id: accountSourceId }),
  ...(subscriptionId === null && accountSourceId === null && { all: true }),
  created_at: createdAt.toISOString(),
})

async function read(ctx: ApiContext, token: string, format: 'json' | 'atom'): Promise<Reply> {
  const { publicBaseUrl } = ctx.http
  const found = await readFeedByToken(ctx, token)
  const toWrite = { ...found, url: feedUrl(publicBaseUrl, token, format), home: publicBaseUrl }
  const { etag, write } = format === 'json' ? writeJsonFeed(ctx, toWrite) : writeAtomFeed(ctx, toWrite)
  return {
    headers: { ETag: etag, 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' },
    mediaType: format === 'json' ? 'application/feed+json' : 'application/atom+xml',
    file: write,
  }
}

export const feedHandlers: Handlers<typeof feeds> = {
  create: async (ctx, { body }, { actor, resource }) => {
    const { feed, token } = await createFeed(ctx, actor, body, resource)
    const { publicBaseUrl } = ctx.http
    return replyWithSecret({
      ...presentFeed(feed),
      url_json: feedUrl(publicBaseUrl, token, 'json'),
      url_atom: feedUrl(publicBaseUrl, token, 'atom'),
    })
  },
  list: async (ctx, _input, { actor }) => ({ data: { feeds: (await listFeeds(ctx, actor)).map(presentFeed) } }),
  delete: async (ctx, { params }, { actor }) => {
    await deleteFeed(ctx, actor, params.feed_id)
    return { empty: true }
  },
  json: (ctx, { params }) => read(ctx, params.feed_token, 'json'),
  atom: (ctx, { params }) => read(ctx, params.feed_token, 'atom'),
}
