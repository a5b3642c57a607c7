import { isWrittenAlike } from '@subtext/captions'
import { EXTRACTIVE } from '@subtext/contracts'
import {
  type CheckStatement,
  createQuoteFinder,
  createSharedStatementCheck,
  createStatementCheck,
  createStemFinder,
  type DetectLanguage,
} from '@subtext/evidence'
import { type Bill, createBill } from '@subtext/llm'
import { createLineResolver } from '@subtext/summarize/prompts'
import { isLeak } from '../is-leak.ts'
import { selectAnswerLanguage } from '../language.ts'
import type { AnswerPart } from '../types.ts'
import { type AnswerOptions, type AnswerSubject, type ChatOptions, writeAnswer } from '../write-answer.ts'
import type { LaidOutPassages, LaidOutVideo } from './lay-out-passages.ts'
import { layOutPassages } from './lay-out-passages.ts'
import { buildLibraryPrompt, type LibraryPromptOptions } from './library-prompt.ts'
import { suggestSearchWords } from './search-words.ts'
import type { AskedOfLibrary, FoundPassage, LibraryPart, LibrarySource, WrittenLibraryAnswer } from './types.ts'

interface LibraryContext extends ChatOptions {
  detect: DetectLanguage
}

const QUOTED = 3
const DEFAULT_LANGUAGE = 'en'

/** Answers a question from the passages of many videos that fit it. */
export async function answerFromLibrary(
  ctx: LibraryContext,
  source: LibrarySource,
  question: AskedOfLibrary,
  options: AnswerOptions<LibraryPart>,
): Promise<WrittenLibraryAnswer> {
  const { model, limits, detect } = ctx
  const bill = model && createBill(model)
  const passages = await findPassages(ctx, { source, question, bill }, options)
  const earlier = question.earlier.map((exchange) => exchange.question)
  const trackLanguage = passages[0]?.video.language ?? source.languages[0] ?? DEFAULT_LANGUAGE
  const language = selectAnswerLanguage({ question: question.text, earlier, trackLanguage }, detect)
  const usage = bill?.total() ?? null
  if (passages.length === 0) {
    return { kind: 'not_in_video', parts: [], language, model: EXTRACTIVE, usage, problem: null }
  }
  if (!model || !bill) return { ...quotePassages(passages, options), language, usage, problem: null }
  const { subject, lineAt } = openLibrary(ctx, { key: source.key, question, language, limits, passages })
  const parts: LibraryPart[] = []
  const { problem } = await writeAnswer(
    { ...ctx, model },
    { subject, bill },
    {
      ...options,
      onPart(part, kind) {
        const placed = placeLines(part, lineAt)
        parts.push(placed)
        options.onPart?.(placed, kind)
      },
    },
  )
  if (problem !== null && parts.length === 0) {
    return { ...quotePassages(passages, options), language, usage: bill.total(), problem }
  }
  const kind = parts.length > 0 ? 'answer' : 'not_in_video'
  return { kind, parts, language, model: model.model.model, usage: bill.total(), problem }
}

/** Finds the passages that fit a question, with the words that the model adds to its own. */
async function findPassages(
  { model }: LibraryContext,
  { source, question, bill }: { source: LibrarySource; question: AskedOfLibrary; bill: Bill | null },
  { signal, reserve }: AnswerOptions<LibraryPart>,
): Promise<FoundPassage[]> {
  const { key, languages } = source
  if (languages.length === 0) return []
  const asked = { question: question.text, earlier: question.earlier.at(-1)?.question }
  const words =
    model && bill ? await suggestSearchWords(model, { ...asked, key, languages }, { signal, reserve, bill }) : []
  return source.findPassages({ ...asked, words })
}

/** Returns the subject of a question about many videos. Every statement is checked against the lines of the videos that it cites. */
function openLibrary(
  { detect }: LibraryContext,
  options: Omit<LibraryPromptOptions, 'isTooLong'>,
): { subject: AnswerSubject; lineAt: LaidOutPassages['lineAt'] } {
  let current: { document: LaidOutPassages; check: CheckStatement } | undefined
  const document = (): NonNullable<typeof current> => {
    if (!current) throw new Error('An answer arrived before its document was sent.')
    return current
  }
  return {
    lineAt: (id) => document().document.lineAt(id),
    subject: {
      hasOwnCache: true,
      async buildPrompt(isTooLong) {
        const built = buildLibraryPrompt({ ...options, isTooLong })
        current = { document: built.document, check: createLibraryCheck(built.document, options.language, detect) }
        return built.prompt
      },
      check: (statement) => document().check(statement),
    },
  }
}

function createLibraryCheck(
  { cues, videos, lineAt }: LaidOutPassages,
  language: string,
  detect: DetectLanguage,
): CheckStatement {
  const createVideoCheck = ({ video, lines, joined }: LaidOutVideo): CheckStatement => {
    const { info, language: trackLanguage } = video
    const starts = new Set(joined.map(({ id }) => id))
    const resolve = createLineResolver({
      lines,
      findStems: isWrittenAlike(trackLanguage, language) ? createStemFinder(trackLanguage) : null,
      findQuoted: createQuoteFinder(cues),
      isStart: (id) => starts.has(id),
    })
    const check = createStatementCheck({
      cues,
      published: [info.title, info.channel.name, info.description],
      passages: joined,
      trackLanguage,
      language,
      detect,
      isLeak,
    })
    return (statement) => check(resolve(statement))
  }
  const checks = new Map(videos.map((each) => [each.video, createVideoCheck(each)]))
  return createSharedStatementCheck({
    language,
    checkOf(id) {
      const line = lineAt(id)
      return line && checks.get(line.video)
    },
  })
}

const placeLines = ({ text, segmentIds }: AnswerPart, lineAt: LaidOutPassages['lineAt']): LibraryPart => ({
  text,
  lines: segmentIds.flatMap((id) => lineAt(id) ?? []),
})

/** Returns the passages that fit best: the answer without a language model. Each is cited at its beginning. */
function quotePassages(passages: readonly FoundPassage[], { onPart }: AnswerOptions<LibraryPart>) {
  const parts = passages.slice(0, QUOTED).flatMap((passage): LibraryPart[] => {
    const { cues, lineAt } = layOutPassages([passage])
    const text = cues
      .map((cue) => cue.text)
      .filter(Boolean)
      .join(' ')
    const first = lineAt(cues.findIndex((cue) => cue.text !== '') + 1)
    return first ? [{ text, lines: [{ ...first, text }] }] : []
  })
  for (const part of parts) onPart?.(part, 'passages')
  return { kind: parts.length > 0 ? ('passages' as const) : ('not_in_video' as const), parts, model: EXTRACTIVE }
}
