import type { Cue } from '@subtext/contracts'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { cuesOf, QUESTIONS } from '@subtext/search/testing'

/** A transcript of the library that is searched. */
export interface SaidVideo {
  videoId: string
  language: string
  cues: Cue[]
}

/** A question, the video that answers it, and words of the line with the answer. */
export interface KnownAnswer {
  language: string
  question: string
  videoId: string
  answer: string
}

/** About an hour of speech. */
const WORDS_PER_VIDEO = 9_000
const WORDS_PER_CUE = 10
const CUE_MS = 4_000
const INVENTED_WORDS = 20_000
const SYLLABLES: Record<string, string[]> = {
  en: ['ba', 'ter', 'lon', 'mi', 'cor', 'ste', 'pra', 'ing', 'ous', 'vel'],
  de: ['be', 'lich', 'ung', 'schen', 'auf', 'ver', 'heit', 'gel', 'ter', 'ab'],
  ko: ['가', '나', '도', '리', '마', '소', '지', '하', '는', '을'],
  ja: ['水', '山', '人', '時', '本', '国', 'の', 'を', 'は', 'と'],
}
const UNSPACED = new Set(['ja'])

/** A generator of numbers below 1 that is the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/** Words of the talk and invented ones, in an order that decides how frequent they are. */
function buildVocabulary(language: string, random: () => number): string[] {
  const talk = cuesOf(QUESTIONS[language]?.talk ?? 'english')
    .map(({ text }) => text)
    .join(' ')
  const said = UNSPACED.has(language) ? (talk.match(/\p{L}{2}/gu) ?? []) : (talk.match(/[\p{L}\p{N}]+/gu) ?? [])
  const invented = Array.from({ length: INVENTED_WORDS }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(random, SYLLABLES[language] ?? [])).join(''),
  )
  return [...new Set([...said, ...invented])]
    .map((word) => [random(), word] as const)
    .sort(([a], [b]) => a - b)
    .map(([, word]) => word)
}

/** Returns a function that writes hours of speech in a language. The n-th word is n times as rare as the first (Zipf). */
export function createWriter(language: string, random: () => number): { write: () => Cue[]; vocabulary: string[] } {
  const vocabulary = buildVocabulary(language, random)
  const next = (): string => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? ''
  const write = (): Cue[] =>
    Array.from({ length: WORDS_PER_VIDEO / WORDS_PER_CUE }, (_, nth) => ({
      startMs: nth * CUE_MS,
      durationMs: CUE_MS,
      text: Array.from({ length: WORDS_PER_CUE }, next).join(UNSPACED.has(language) ? '' : ' '),
    }))
  return { write, vocabulary }
}

export const LANGUAGES = Object.keys(QUESTIONS)

/** The talks about which questions are asked. */
export const listTalks = (): SaidVideo[] =>
  LANGUAGES.map((language) => {
    const talk = QUESTIONS[language]?.talk ?? 'english'
    return { videoId: SAMPLE_TALKS[talk].id, language, cues: cuesOf(talk) }
  })

export const listQuestions = (): KnownAnswer[] =>
  listTalks().flatMap(({ videoId, language }) =>
    (QUESTIONS[language]?.questions ?? []).map(([question, answer]) => ({ language, question, answer, videoId })),
  )
