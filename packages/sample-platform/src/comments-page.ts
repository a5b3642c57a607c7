import type { SampleComment, SampleVideo } from './sample-video.ts'

const PAGE_SIZE = 5
const ID_LENGTH = 11
/** The bytes before the video ID in a client's first continuation: field 2 (13 bytes) containing field 2 (11 bytes). */
const BEFORE_VIDEO_ID = Buffer.from([0x12, ID_LENGTH + 2, 0x12, ID_LENGTH])

/** Returns the video and offset that a continuation token refers to, or `null` for an invalid token. */
export function readContinuation(token: string): { videoId: string; offset: number } | null {
  const own = /^sample:([\w-]{11}):(\d{1,4})$/.exec(token)
  if (own?.[1] !== undefined) return { videoId: own[1], offset: Number(own[2]) }
  if (!/^(?:[\w+/=-]|%(?:2B|2F|3D))*$/i.test(token)) return null
  const bytes = Buffer.from(decodeURIComponent(token), 'base64')
  const start = bytes.indexOf(BEFORE_VIDEO_ID) + BEFORE_VIDEO_ID.length
  const videoId = bytes.toString('latin1', start, start + ID_LENGTH)
  return start < BEFORE_VIDEO_ID.length || videoId.length < ID_LENGTH ? null : { videoId, offset: 0 }
}

/** Builds a page of comments: threads that contain keys, and mutations with the data for these keys. */
export function buildCommentsPage(video: SampleVideo, offset: number): object {
  const all = video.comments ?? []
  const page = all.slice(offset, offset + PAGE_SIZE)
  const keys = page.map((_, index) => `${video.id}-${offset + index}`)
  const items: object[] = keys.map(buildThread)
  if (offset + PAGE_SIZE < all.length) items.push(buildMore(video.id, offset + PAGE_SIZE))
  const body = { targetId: 'comments-section', continuationItems: items }
  return {
    responseContext: {},
    onResponseReceivedEndpoints:
      offset > 0
        ? [{ appendContinuationItemsAction: body }]
        : [
            { reloadContinuationItemsCommand: { ...buildHeader(all.length), slot: 'RELOAD_CONTINUATION_SLOT_HEADER' } },
            { reloadContinuationItemsCommand: { ...body, slot: 'RELOAD_CONTINUATION_SLOT_BODY' } },
          ],
    frameworkUpdates: {
      entityBatchUpdate: { mutations: page.map((comment, index) => buildEntity(comment, keys[index] ?? '')) },
    },
  }
}

function buildHeader(total: number): object {
  const count = { runs: [{ text: String(total) }] }
  const header = { titleText: { runs: [{ text: 'Comments' }] }, countText: count, commentsCount: count }
  return { targetId: 'comments-section', continuationItems: [{ commentsHeaderRenderer: header }] }
}

function buildThread(key: string): object {
  return {
    commentThreadRenderer: {
      commentViewModel: { commentViewModel: { commentId: key, commentKey: key, toolbarStateKey: `${key}-toolbar` } },
      renderingPriority: 'RENDERING_PRIORITY_UNKNOWN',
      isModeratedElqComment: false,
    },
  }
}

function buildMore(videoId: string, offset: number): object {
  return {
    continuationItemRenderer: {
      trigger: 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN',
      continuationEndpoint: {
        continuationCommand: {
          token: `sample:${videoId}:${offset}`,
          request: 'CONTINUATION_REQUEST_TYPE_WATCH_NEXT',
        },
      },
    },
  }
}

function buildEntity(comment: SampleComment, key: string): object {
  const likes = comment.likes === 0 ? '' : String(comment.likes)
  return {
    entityKey: key,
    type: 'ENTITY_MUTATION_TYPE_REPLACE',
    payload: {
      commentEntityPayload: {
        key,
        properties: {
          commentId: key,
          content: { content: comment.text },
          publishedTime: comment.published,
          replyLevel: 0,
          authorButtonA11y: comment.author,
        },
        author: {
          channelId: 'UCsampleCommentAuthor000',
          displayName: comment.author,
          avatarThumbnailUrl: 'https://yt3.ggpht.com/sample',
          isVerified: false,
          isCurrentUser: false,
          isCreator: false,
          isArtist: false,
        },
        toolbar: { likeCountLiked: String(comment.likes + 1), likeCountNotliked: likes, replyCount: '' },
      },
    },
  }
}
