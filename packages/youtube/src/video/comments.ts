import { cleanLine, cleanParagraphs } from '@subtext/captions'
import type { VideoComment } from '@subtext/contracts'
import { z } from 'zod'
import { lenient } from './lenient.ts'

const MAX_COMMENT_LENGTH = 5_000
const MAX_NAME_LENGTH = 200
const MAX_FIELD_LENGTH = 50

// Missing or malformed fields become empty, and anything of unknown form is skipped: one odd comment must not cost the others.
const text = z.string().catch('')
const flag = z.boolean().catch(false)
const part = <S extends z.ZodRawShape>(shape: S) => lenient(z.object(shape))
const list = <S extends z.ZodType>(item: S) => lenient(z.array(lenient(item)))

const Continuation = part({ continuationCommand: part({ token: text }) })

const Item = z.object({
  commentThreadRenderer: part({
    commentViewModel: part({ commentViewModel: part({ commentKey: text, pinnedText: lenient(z.unknown()) }) }),
  }),
  continuationItemRenderer: part({
    continuationEndpoint: Continuation,
    button: part({ buttonRenderer: part({ command: Continuation }) }),
  }),
})
type Item = z.infer<typeof Item>

const Items = part({ continuationItems: list(Item) })

const Entity = z.object({
  properties: part({ content: part({ content: text }), publishedTime: text }),
  author: part({ displayName: text, isCreator: flag }),
  toolbar: part({ likeCountNotliked: text }),
})
type Entity = z.infer<typeof Entity>

const Page = z
  .object({
    onResponseReceivedEndpoints: list(
      z.object({ reloadContinuationItemsCommand: Items, appendContinuationItemsAction: Items }),
    ),
    frameworkUpdates: part({
      entityBatchUpdate: part({
        mutations: list(z.object({ entityKey: text, payload: part({ commentEntityPayload: lenient(Entity) }) })),
      }),
    }),
  })
  .catch({})

/** A page of the platform's comments, and the token with which the next one is requested. */
export interface CommentsPage {
  comments: VideoComment[]
  /** Null on the last page. */
  next: string | null
}

const buildComment = ({ properties, author, toolbar }: Entity, isPinned: boolean): VideoComment | null => {
  const content = cleanParagraphs(properties?.content?.content ?? '', MAX_COMMENT_LENGTH)
  if (content === '') return null
  const likes = toolbar?.likeCountNotliked ?? ''
  return {
    author: cleanLine(author?.displayName ?? '', MAX_NAME_LENGTH),
    text: content,
    like_count: likes === '0' ? '' : cleanLine(likes, MAX_FIELD_LENGTH),
    published: cleanLine(properties?.publishedTime ?? '', MAX_FIELD_LENGTH),
    is_pinned: isPinned,
    is_by_channel: author?.isCreator ?? false,
  }
}

const tokenOf = ({ continuationItemRenderer: item }: Item): string | undefined =>
  item?.continuationEndpoint?.continuationCommand?.token ||
  item?.button?.buttonRenderer?.command?.continuationCommand?.token

/** Reads a page of comments and makes their text safe to show. Empty comments, and those of unknown form, are skipped. */
export const readCommentsPage = (body: unknown): CommentsPage => {
  const { onResponseReceivedEndpoints: endpoints = [], frameworkUpdates } = Page.parse(body)
  const items = endpoints
    .flatMap((one) => [one?.reloadContinuationItemsCommand, one?.appendContinuationItemsAction])
    .flatMap((one) => one?.continuationItems ?? [])
    .filter((item) => item !== undefined)
  const entities = new Map<string, Entity>()
  for (const mutation of frameworkUpdates?.entityBatchUpdate?.mutations ?? []) {
    const entity = mutation?.payload?.commentEntityPayload
    if (mutation && entity) entities.set(mutation.entityKey, entity)
  }
  const comments = items.map(({ commentThreadRenderer: thread }) => {
    const shown = thread?.commentViewModel?.commentViewModel
    const entity = entities.get(shown?.commentKey ?? '')
    return entity ? buildComment(entity, shown?.pinnedText !== undefined) : null
  })
  return {
    comments: comments.filter((comment) => comment !== null),
    next: items.map(tokenOf).findLast((token) => token) ?? null,
  }
}

/**
 * Builds the token that requests the first page of a video's top comments: a message in the format of Protocol Buffers, as
 * https://github.com/yt-dlp/yt-dlp builds it.
 */
export const buildCommentsToken = (videoId: string): string =>
  Buffer.from(
    `\x12\r\x12\x0b${videoId}\x18\x062'"\x11"\x0b${videoId}0\x00x\x020\x00B\x10comments-section`,
    'latin1',
  ).toString('base64')
