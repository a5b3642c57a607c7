import { cleanLine, cleanParagraphs } from '@subtext/captions'
import type { VideoComment } from '@subtext/contracts'
import { z } from 'zod'

const MAX_COMMENT_LENGTH = 5_000
const MAX_NAME_LENGTH = 200
const MAX_FIELD_LENGTH = 50

// A comment as the library reads it. Missing or malformed fields become empty.
const text = z.string().catch('')
const PlatformComment = z.object({
  content: z
    .object({ text })
    .transform((content) => content.text)
    .catch(''),
  author: z
    .object({ name: text })
    .transform((author) => author.name)
    .catch(''),
  like_count: text,
  published_time: text,
  is_pinned: z.boolean().catch(false),
  author_is_channel_owner: z.boolean().catch(false),
})

const buildComment = (candidate: unknown): VideoComment | null => {
  const { data } = PlatformComment.safeParse(candidate)
  const content = cleanParagraphs(data?.content ?? '', MAX_COMMENT_LENGTH)
  if (!data || content === '') return null
  return {
    author: cleanLine(data.author, MAX_NAME_LENGTH),
    text: content,
    like_count: data.like_count === '0' ? '' : cleanLine(data.like_count, MAX_FIELD_LENGTH),
    published: cleanLine(data.published_time, MAX_FIELD_LENGTH),
    is_pinned: data.is_pinned,
    is_by_channel: data.author_is_channel_owner,
  }
}

/** Converts the library's comments and makes their text safe to show. Empty comments are skipped. */
export const buildComments = (comments: unknown[]): VideoComment[] =>
  comments.map(buildComment).filter((comment) => comment !== null)
