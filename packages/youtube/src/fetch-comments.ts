import type { VideoComment } from '@subtext/contracts'
import { UpstreamRefusal } from './refusals/refusal.ts'
import type { PlatformSession } from './session/open-session.ts'
import { buildCommentsToken, type CommentsPage, readCommentsPage } from './video/comments.ts'

const MAX_COMMENTS = 50
const MAX_PAGES = 5

/** Fetches the top comments of a video page by page. A page that cannot be had ends the list. Throws `UpstreamRefusal`. */
export const fetchTopComments = async (
  session: PlatformSession,
  videoId: string,
  signal: AbortSignal,
): Promise<VideoComment[]> => {
  const fetchPage = async (token: string): Promise<CommentsPage> =>
    readCommentsPage(await session.fetchComments(token, signal))
  let { comments, next } = await fetchPage(buildCommentsToken(videoId))
  for (let pages = 1; next !== null && comments.length < MAX_COMMENTS && pages < MAX_PAGES; pages++) {
    try {
      const page = await fetchPage(next)
      comments = [...comments, ...page.comments]
      next = page.next
    } catch (error) {
      if (comments.length === 0 || !(error instanceof UpstreamRefusal)) throw error
      break
    }
  }
  return comments.slice(0, MAX_COMMENTS)
}
