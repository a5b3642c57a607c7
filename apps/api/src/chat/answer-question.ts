import type { Answer, AnswerOptions, AnswerPart, LibraryPart, VideoChat } from '@subtext/chat'
import {
  type AskedLibrary,
  type AskedVideo,
  type ChatExchange,
  type OpenedQuestion,
  readAnswerSource,
} from '@subtext/core/chats'
import type { Context } from '@subtext/core/context'
import { placeOf } from '@subtext/render'
import type { LibraryReader } from '../library/open-library.ts'
import type { StoredPart } from './answer-feed.ts'

export interface AnswerContext extends Pick<Context, 'db'> {
  /** The engine that answers. */
  chat: VideoChat
  library: Pick<LibraryReader, 'openScope'>
}

/** An answer without its parts, which have been passed on one by one. */
export type AnswerEnd = Omit<Answer, 'parts'>

const isAboutVideo = (question: OpenedQuestion): question is OpenedQuestion<AskedVideo> => 'job' in question.subject
const isAboutLibrary = (question: OpenedQuestion): question is OpenedQuestion<AskedLibrary> =>
  'scope' in question.subject

/** Answers a question about a video or about many, and passes on each part in the form in which it is stored. */
export async function answerQuestion(
  ctx: AnswerContext,
  question: OpenedQuestion,
  options: AnswerOptions<StoredPart>,
): Promise<AnswerEnd> {
  if (isAboutVideo(question)) return answerAboutVideo(ctx, question, options)
  if (isAboutLibrary(question)) return answerAboutLibrary(ctx, question, options)
  throw new Error('A question is about nothing.')
}

async function answerAboutVideo(
  ctx: AnswerContext,
  question: OpenedQuestion<AskedVideo>,
  { onPart, ...options }: AnswerOptions<StoredPart>,
): Promise<AnswerEnd> {
  const source = await readAnswerSource(ctx, question)
  const earlier = listEarlier(question.earlier, ({ text, citations }) => ({
    text,
    segmentIds: citations.map(({ segmentId }) => segmentId),
  }))
  return ctx.chat.answer(
    source,
    { text: question.text, earlier },
    { ...options, onPart: (part, kind) => onPart?.(describePart(part, source.cues), kind) },
  )
}

async function answerAboutLibrary(
  { chat, library }: AnswerContext,
  { actor, subject, conversationId, text, earlier }: OpenedQuestion<AskedLibrary>,
  { onPart, ...options }: AnswerOptions<StoredPart>,
): Promise<AnswerEnd> {
  const scope = await library.openScope(actor.userId, subject.scope, options.signal)
  const answered = listEarlier(earlier, ({ text, citations }) => ({
    text,
    lines: citations.flatMap(({ segmentId, video }) => (video ? [{ jobId: video.jobId, segmentId }] : [])),
  }))
  return chat.answerFromLibrary(
    { ...scope, key: conversationId },
    { text, earlier: answered },
    { ...options, onPart: (part, kind) => onPart?.(describeLibraryPart(part), kind) },
  )
}

/** A passage is cited as a whole, at its beginning. */
function describePart({ text, segmentIds }: AnswerPart, cues: { startMs: number; text: string }[]): StoredPart {
  const joined = segmentIds.map((id) => cues[id - 1]?.text ?? '').join(' ')
  const cited = joined === text ? segmentIds.slice(0, 1) : segmentIds
  return {
    text,
    citations: cited.flatMap((id) => {
      const cue = cues[id - 1]
      return cue ? [{ segmentId: id, startMs: cue.startMs, text: joined === text ? text : cue.text }] : []
    }),
  }
}

const describeLibraryPart = ({ text, lines }: LibraryPart): StoredPart => ({
  text,
  citations: lines.map(({ video: { jobId, info }, segmentId, startMs, text: said }) => ({
    segmentId,
    startMs,
    text: said,
    video: { jobId, videoId: info.video_id, title: info.title, place: placeOf(info) },
  })),
})

const listEarlier = <P>(exchanges: readonly ChatExchange[], toPart: (part: StoredPart) => P) =>
  exchanges.flatMap(({ question, answer }) =>
    answer ? [{ question, kind: answer.kind, parts: answer.parts.map(toPart) }] : [],
  )
