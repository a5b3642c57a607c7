import { isWrittenAlike } from '@subtext/captions'
import { estimateTokens, type TextModelPrompt } from '@subtext/llm'
import type { PromptLimits } from '@subtext/summarize'
import { buildDocument, computeMaxLineTokens, nameLanguage, SYSTEM_RULES } from '@subtext/summarize/prompts'
import {
  buildTurns,
  countTurnTokens,
  FRAME_MARGIN,
  LIBRARY_RULES,
  MAX_OUTPUT_TOKENS,
  selectTurnTokens,
} from '../prompt.ts'
import type { EarlierExchange } from '../types.ts'
import { type LaidOutPassages, layOutPassages } from './lay-out-passages.ts'
import { SEARCH_WORD_SECRETS } from './search-words.ts'
import type { AskedOfLibrary, FoundPassage } from './types.ts'

const VIDEOS = `- The document has passages of several videos: each <video> is followed by those of its lines that fit the question best, in its order. The numbers of the lines run through all of them.
- Of a video, say only what its own lines say. A sentence that says something of two videos names lines of both. Never complete what one video says with what another one says.`
const QUOTING = `- Where lines are in another language than your answer, quote three to twelve words in a row of that line after its number, exactly as they stand there: [41 "runs along the whole ridge"]`

/** Only we send these to the model, so that an answer must not repeat them. */
export const LIBRARY_SECRETS = [VIDEOS, QUOTING, ...SEARCH_WORD_SECRETS]

/** Tokens around the lines of a video: its title, channel and description, shortened. */
const VIDEO_TOKENS = 150
const LINE_SHARE = 1.2

export interface LibraryPromptOptions {
  key: string
  question: AskedOfLibrary
  /** Of the answer, BCP-47. */
  language: string
  limits: PromptLimits
  /** The best first. */
  passages: readonly FoundPassage[]
  isTooLong: boolean
}

/** Builds the prompt for a question about many videos, and the document that it has. */
export function buildLibraryPrompt(options: LibraryPromptOptions): {
  prompt: TextModelPrompt
  document: LaidOutPassages
} {
  const { key, question, language, limits } = options
  const document = layOutPassages(selectPassages(options))
  const isQuoting = document.videos.some(({ video }) => !isWrittenAlike(video.language, language))
  const ending = `Language of your answers: ${nameLanguage(language)}.`
  const turns = buildTurns(
    { text: question.text, earlier: question.earlier.map((exchange) => number(exchange, document)) },
    selectTurnTokens(limits),
  )
  return {
    document,
    prompt: {
      system: `Library ${key}\n\n${SYSTEM_RULES}`,
      document: document.videos
        .map(({ video, joined }) =>
          buildDocument({ video: video.info, track: { language: video.language } }, joined, {
            kind: 'passages',
            isShort: true,
          }),
        )
        .join('\n'),
      cacheDocument: null,
      instruction: [LIBRARY_RULES, VIDEOS, ...(isQuoting ? [QUOTING] : []), ending].join('\n'),
      turns,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    },
  }
}

/** Returns the best passages that fit into the prompt. */
function selectPassages({ question, limits, passages, isTooLong }: LibraryPromptOptions): FoundPassage[] {
  const frameTokens = FRAME_MARGIN + estimateTokens([SYSTEM_RULES, LIBRARY_RULES, VIDEOS, QUOTING].join('\n'))
  const asked = buildTurns({ text: question.text, earlier: [] }, selectTurnTokens(limits))
  const turnTokens = countTurnTokens(asked) + (question.earlier.length > 0 ? selectTurnTokens(limits) : 0)
  const maxTokens = (computeMaxLineTokens(limits, frameTokens) - turnTokens) / (isTooLong ? 4 : 1)
  const selected: FoundPassage[] = []
  let tokens = 0
  for (const passage of passages) {
    const text = passage.cues.map((cue) => cue.text).join(' ')
    const isKnown = selected.some(({ video }) => video === passage.video)
    tokens += estimateTokens(text) * LINE_SHARE + (isKnown ? 0 : VIDEO_TOKENS)
    if (tokens > maxTokens && selected.length > 0) break
    selected.push(passage)
  }
  return selected
}

/** Gives the lines of an earlier answer the numbers that they have in this document, if it has them. */
const number = (exchange: AskedOfLibrary['earlier'][number], document: LaidOutPassages): EarlierExchange => ({
  ...exchange,
  parts: exchange.parts.map(({ text, lines }) => ({
    text,
    segmentIds: lines.flatMap(({ jobId, segmentId }) => document.find(jobId, segmentId) ?? []),
  })),
})
