import { walkChapters } from './chapters.ts'
import { foldText } from './fold-text.ts'
import { inBatches, inPieces } from './in-pieces.ts'
import { titleOf } from './outline.ts'
import type { RenderableResult } from './renderable-result.ts'
import { buildWatchUrl, placeOf } from './video-times.ts'

/** About as much as models that embed passages are made for. */
const PASSAGE_WORDS = 120
/** Scripts that are written without spaces between words, of which a passage has about 400 characters. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu
const UNSPACED_CHARACTERS = 400
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Returns how many words a line counts for. */
function measure(line: string): number {
  let characters = 0
  const rest = line.replace(UNSPACED, () => {
    characters++
    return ' '
  })
  const words = rest.split(/\s+/).filter((word) => LETTER_OR_DIGIT.test(word)).length
  return words + (characters * PASSAGE_WORDS) / UNSPACED_CHARACTERS
}

interface Passage {
  firstId: number
  lastId: number
  startMs: number
  endMs: number
  texts: string[]
  /** Empty where the captions do not say who speaks. */
  speakers: Set<string>
  words: number
}

/** Joins segments to passages. A passage ends where it is closest to its size. */
async function* joinPassages(result: RenderableResult): AsyncGenerator<Passage[], void, undefined> {
  let passage: Passage | undefined
  let id = 0
  for await (const batch of inBatches(result.cues())) {
    const ready: Passage[] = []
    for (const { startMs, durationMs, text, speaker = '' } of batch) {
      id++
      const line = foldText(text)
      if (line === '') continue
      const words = measure(line)
      if (passage && passage.words + words - PASSAGE_WORDS > PASSAGE_WORDS - passage.words) {
        ready.push(passage)
        passage = undefined
      }
      passage ??= { firstId: id, lastId: id, startMs, endMs: startMs, texts: [], speakers: new Set(), words: 0 }
      passage.lastId = id
      passage.endMs = Math.max(passage.endMs, startMs + durationMs)
      passage.texts.push(line)
      passage.speakers.add(foldText(speaker))
      passage.words += words
    }
    yield ready
  }
  if (passage) yield [passage]
}

async function* writeChunks(result: RenderableResult): AsyncGenerator<string, void, undefined> {
  const { jobId, videoInfo, track } = result
  const title = foldText(titleOf(videoInfo))
  const { pass } = walkChapters(videoInfo)
  let chapter: string | undefined
  const write = ({ firstId, lastId, startMs, endMs, texts, speakers }: Passage): string => {
    chapter = pass(startMs).at(-1) ?? chapter
    const [speaker, ...others] = speakers
    const chunk = {
      // Names the segments of the transcript.
      id: `${jobId}:${firstId}-${lastId}`,
      text: texts.join(' '),
      start: startMs / 1000,
      end: endMs / 1000,
      url: buildWatchUrl(placeOf(videoInfo), startMs),
      title,
      ...(chapter !== undefined && { chapter }),
      ...(speaker && others.length === 0 && { speaker }),
      language: track.language,
    }
    return `${JSON.stringify(chunk)}\n`
  }
  for await (const passages of joinPassages(result)) yield passages.map(write).join('')
}

/**
 * Yields the transcript in pieces as passages for a search index, one per line of JSON: of about 120 words, or 400 characters
 * of scripts without spaces, each of which ends with a segment. Together they are the transcript.
 */
export const renderChunks = (result: RenderableResult): AsyncIterable<string> => inPieces(writeChunks(result))
