import { cleanLine, cleanParagraphs } from '@subtext/captions'
import type { VideoComment } from '@subtext/contracts'
import { z } from 'zod'

const LONGEST_COMMENT = 5_000
const LONGEST_NAME = 200
const LONGEST_FIELD = 50

// As the library reads it; whatever is missing or of another shape is left out.
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
  const said = cleanParagraphs(data?.content ?? '', LONGEST_COMMENT)
  if (!data || said === '') return null
  return {
    author: cleanLine(data.author, LONGEST_NAME),
    text: said,
    like_count: data.like_count === '0' ? '' : cleanLine(data.like_count, LONGEST_FIELD),
    published: cleanLine(data.published_time, LONGEST_FIELD),
    is_pinned: data.is_pinned,
    is_by_channel: data.author_is_channel_owner,
  }
}

/** Comments as the library gives them, made safe to show; empty ones are left out. */
export const buildComments = (comments: unknown[]): VideoComment[] =>
  comments.map(buildComment).filter((comment) => comment !== null)
