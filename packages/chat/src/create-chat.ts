import { isWrittenAlike } from '@subtext/captions'
import { EXTRACTIVE } from '@subtext/contracts'
import {
  type CheckStatement,
  createQuoteFinder,
  createStatementCheck,
  createStemFinder,
  type DetectLanguage,
  loadLanguageDetector,
} from '@subtext/evidence'
import { createBill } from '@subtext/llm'
import { buildTranscriptLines, createLineResolver, nameSpeakers } from '@subtext/summarize/prompts'
import { isLeak } from './is-leak.ts'
import { selectAnswerLanguage } from './language.ts'
import { answerFromLibrary } from './library/answer-from-library.ts'
import type { AskedOfLibrary, LibraryPart, LibrarySource, WrittenLibraryAnswer } from './library/types.ts'
import { buildPrompt } from './prompt.ts'
import { quotePassages } from './quote-passages.ts'
import type { Answer, AnswerPart, ChatQuestion, ChatSource } from './types.ts'
import {
  type AnswerOptions,
  type AnswerSubject,
  type ChatOptions,
  createChatPacer,
  writeAnswer,
} from './write-answer.ts'

export interface VideoChat {
  /**
   * Answers a question about a video. Everything it returns has been checked. Rejects only with the signal's reason, with a
   * refusal of `reserve`, or with a bug of ours.
   */
  answer(source: ChatSource, question: ChatQuestion, options: AnswerOptions): Promise<Answer>
  /** Answers a question from the passages of many videos that fit it. Otherwise like `answer`. */
  answerFromLibrary(
    source: LibrarySource,
    question: AskedOfLibrary,
    options: AnswerOptions<LibraryPart>,
  ): Promise<WrittenLibraryAnswer>
}

interface AskedVideo {
  question: ChatQuestion
  /** Of the answer, BCP-47. */
  language: string
  detect: DetectLanguage
  limits: ChatOptions['limits']
  signal: AbortSignal
}

/** Returns the subject of a question about a single video: its transcript or, if that is too long, passages of it. */
async function openVideo(source: ChatSource, asked: AskedVideo): Promise<AnswerSubject> {
  const { question, language, detect, limits, signal } = asked
  const { video, track, cues } = source
  const lines = await buildTranscriptLines(source, createChatPacer(signal))
  let starts: ReadonlySet<number> = new Set()
  let check: CheckStatement | undefined
  const resolve = createLineResolver({
    lines,
    findStems: isWrittenAlike(track.language, language) ? createStemFinder(track.language) : null,
    findQuoted: createQuoteFinder(cues),
    isStart: (id) => starts.has(id),
  })
  return {
    hasOwnCache: source.hasOwnCache,
    buildPrompt: (isTooLong) =>
      buildPrompt(source, {
        ...{ question, language, limits, lines, isTooLong },
        pace: createChatPacer(signal),
        onDocument(passages) {
          starts = new Set(passages.map(({ id }) => id))
          check = createStatementCheck({
            cues,
            published: [video.title, video.channel.name, video.description],
            passages,
            trackLanguage: track.language,
            language,
            detect,
            isLeak,
          })
        },
      }),
    check(statement) {
      if (!check) throw new Error('An answer arrived before its document was sent.')
      return check(resolve(statement))
    },
  }
}

async function quote(source: ChatSource, question: ChatQuestion, { signal, onPart }: AnswerOptions) {
  const parts: AnswerPart[] = await quotePassages(source, question, createChatPacer(signal))
  for (const part of parts) onPart?.(part, 'passages')
  return { kind: 'passages' as const, parts, language: source.track.language, model: EXTRACTIVE }
}

/** Creates the functions that answer questions about videos. */
export function createChat(options: ChatOptions): VideoChat {
  const { model, limits } = options
  let detector: Promise<DetectLanguage> | undefined
  const loadDetector = (): Promise<DetectLanguage> => {
    detector ??= loadLanguageDetector()
    return detector
  }
  return {
    async answer(given, question, answerOptions) {
      const source = { ...given, cues: nameSpeakers(given.cues) }
      if (!model) return { ...(await quote(source, question, answerOptions)), usage: null, problem: null }
      const detect = await loadDetector()
      const earlier = question.earlier.map((exchange) => exchange.question)
      const asked = { question: question.text, earlier, trackLanguage: source.track.language }
      const language = selectAnswerLanguage(asked, detect)
      const { signal } = answerOptions
      const subject = await openVideo(source, { question, language, detect, limits, signal })
      const bill = createBill(model)
      const { parts, problem } = await writeAnswer({ ...options, model }, { subject, bill }, answerOptions)
      const usage = bill.total()
      if (problem !== null && parts.length === 0) {
        return { ...(await quote(source, question, answerOptions)), usage, problem }
      }
      const kind = parts.length > 0 ? 'answer' : 'not_in_video'
      return { kind, parts, language, model: model.model.model, usage, problem }
    },
    answerFromLibrary: async (source, question, answerOptions) =>
      answerFromLibrary({ ...options, detect: await loadDetector() }, source, question, answerOptions),
  }
}
