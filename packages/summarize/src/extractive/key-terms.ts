import type { SummaryPoint } from '@subtext/contracts'
import { selectLabels } from '@subtext/render'
import { at } from '@subtext/runtime'
import type { Pace } from '../pacer.ts'
import { type Phrase, type PhraseContext, selectPhrases } from './phrases.ts'
import { capitalize } from './sentence-text.ts'
import type { Sentence } from './sentences.ts'
import { TERM_CONTEXTS, type TermContext } from './term-contexts.ts'
import type { Token } from './tokens.ts'

export interface KeyTerm extends SummaryPoint {
  /** Index of the sentence that explains the term. */
  sentence: number
}

interface KeyTermContext extends PhraseContext {
  sentences: Sentence[]
  tokens: Token[][]
  /** How suitable each sentence is for a summary. */
  priors: number[]
}

const MAX_TERMS = 8
const MIN_TERMS = 3
const SENTENCES_PER_TERM = 8
const MAX_CANDIDATES = 2_000
/** The minimum share of its mentions in which a term is used as a noun. */
const MIN_NOUN_SHARE = 0.3
/** Terms far below the best one are left out. */
const MIN_SCORE_SHARE = 0.15

/** Points for a sentence that defines a term, is about it, or mentions it first. */
const GAINS = { definition: 1.5, topic: 0.6, first: 0.2, mention: 0.3 }
/** The part of a sentence that contains its subject. */
const SUBJECT_SHARE = { marked: 0.5, unmarked: 0.3 }
/** Number of characters around a term that are examined. */
const CONTEXT_CHARS = 60

const PAUSE = /^\s?[\p{Pd}\p{Ps}\p{Pe}\p{Po}]/u
/** Numbers, also those written with Chinese characters, which count something else. */
const NUMBER_START = /^[\p{N}一二三四五六七八九十百千万萬两兩半数數]/u

interface Mention {
  sentence: number
  /** As it is spelled there. */
  text: string
  /** How well the sentence explains the term. */
  value: number
  isDefinition: boolean
}

interface Rating {
  value: number
  isDefined: boolean
}

interface Candidate {
  phrase: Phrase
  nouns: number
  mentions: Mention[]
}

/** A term in a sentence: the words `[from, to)`. */
interface Place {
  tokens: Token[]
  from: number
  to: number
}

const lower = (token: Token | undefined): string => token?.surface.toLowerCase() ?? ''

/** Returns whether the words around a term mark it as a noun. */
const isMarkedAsNoun = ({ tokens, from, to }: Place, language: TermContext): boolean =>
  tokens[to - 1]?.isMarked === true ||
  language.nounsFollow.has(lower(tokens[from - 1])) ||
  language.followNouns.has(lower(tokens[to]))

/** Returns whether a term is used as a noun. Without a table for the language, any word may be a noun. */
function isNounAt(place: Place, language: TermContext | null, hasCapitals: boolean): boolean {
  if (!language) return true
  const { tokens, from, to } = place
  // A word before another word with a topic only describes that word.
  if (tokens[to] && tokens[to].stem !== '') return false
  if (language.isCapitalized && hasCapitals && from > 0) return /^\p{Lu}/u.test(tokens[to - 1]?.surface ?? '')
  return isMarkedAsNoun(place, language)
}

/** Rates how well a sentence explains a term that it mentions. */
function rateMention(place: Place, { spoken }: Sentence, isFirst: boolean, language: TermContext | null): Rating {
  const { tokens, from, to } = place
  const last = at(tokens, to - 1)
  const [start, end] = [at(tokens, from).from, last.from + last.surface.length]
  const before = spoken.slice(Math.max(0, start - CONTEXT_CHARS), start)
  const after = spoken.slice(end, end + CONTEXT_CHARS)
  const isDescription = language?.genitives.has(lower(tokens[from - 1])) === true
  const isDefined = !isDescription && (language?.defined?.test(after) || language?.named?.test(before) || false)
  const topic = language?.topic
  const share = topic ? SUBJECT_SHARE.marked : SUBJECT_SHARE.unmarked
  const isTopic = !isDescription && start <= spoken.length * share && (topic ? topic.test(after) : !PAUSE.test(after))
  const value =
    GAINS.mention + (isDefined ? GAINS.definition : 0) + (isTopic ? GAINS.topic : 0) + (isFirst ? GAINS.first : 0)
  return { value: language && !isMarkedAsNoun(place, language) ? value / 2 : value, isDefined }
}

/** Collects what the sentences say about the candidates, reading each once. */
async function collectMentions(phrases: Phrase[], context: KeyTermContext, pace: Pace): Promise<Candidate[]> {
  const { speech, sentences, tokens: allTokens, priors } = context
  const language = speech.language ? TERM_CONTEXTS[speech.language] : null
  const hasCapitals = allTokens.some((tokens) => tokens.slice(1).some(({ surface }) => /^\p{Lu}/u.test(surface)))
  const candidates = phrases.map((phrase): Candidate => ({ phrase, nouns: 0, mentions: [] }))
  const byFirstStem = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const stem = at(candidate.phrase.stems, 0)
    byFirstStem.set(stem, [...(byFirstStem.get(stem) ?? []), candidate])
  }
  const addMention = (candidate: Candidate, sentence: number, from: number): void => {
    const tokens = at(allTokens, sentence)
    const to = from + candidate.phrase.stems.length
    const place = { tokens, from, to }
    if (isNounAt(place, language, hasCapitals)) candidate.nouns++
    const text = tokens
      .slice(from, to)
      .map(({ surface }) => surface)
      .join(speech.isUnspaced ? '' : ' ')
    const { value, isDefined } = rateMention(place, at(sentences, sentence), candidate.mentions.length === 0, language)
    candidate.mentions.push({ sentence, text, isDefinition: isDefined, value: value * Math.sqrt(at(priors, sentence)) })
  }
  for (const [sentence, tokens] of allTokens.entries()) {
    await pace()
    for (const [from, { stem }] of tokens.entries()) {
      for (const candidate of byFirstStem.get(stem) ?? []) {
        if (candidate.phrase.stems.every((each, i) => tokens[from + i]?.stem === each)) {
          addMention(candidate, sentence, from)
        }
      }
    }
  }
  return candidates
}

const MIN_SHARED_START = 4

/** Returns whether two words are probably forms of the same word, by a common beginning. */
function areRelated(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  return shorter.length >= MIN_SHARED_START && longer.startsWith(shorter)
}

interface RatedTerm {
  phrase: Phrase
  /** Best first. */
  mentions: Mention[]
  score: number
}

function rateCandidates(candidates: Candidate[]): RatedTerm[] {
  return candidates
    .filter(({ mentions, nouns }) => nouns >= mentions.length * MIN_NOUN_SHARE)
    .flatMap(({ phrase, mentions }) => {
      const defining = mentions.filter(({ isDefinition }) => isDefinition)
      if (defining.length === 0) return []
      const best = defining.toSorted((a, b) => b.value - a.value || a.sentence - b.sentence)
      return [{ phrase, mentions: best, score: Math.sqrt(phrase.score) * at(best, 0).value }]
    })
    .sort((a, b) => b.score - a.score || (a.phrase.text < b.phrase.text ? -1 : 1))
}

/**
 * Returns the terms of a transcript that are worth defining, each with the sentence that explains it best: words that are
 * used as nouns, characteristic of the transcript, and defined in it. No two share a sentence.
 */
export async function findKeyTerms(context: KeyTermContext, pace: Pace): Promise<KeyTerm[]> {
  const { speech, sentences } = context
  const limit = Math.min(MAX_TERMS, Math.max(MIN_TERMS, Math.floor(sentences.length / SENTENCES_PER_TERM)))
  const phrases = selectPhrases(context.everywhere, context, MAX_CANDIDATES)
  const rated = rateCandidates(
    await collectMentions(
      phrases.filter(({ text }) => !NUMBER_START.test(text)),
      context,
      pace,
    ),
  )
  const minScore = (rated[0]?.score ?? 0) * MIN_SCORE_SHARE
  const { colon } = selectLabels(speech.tag)
  const taken = new Set<number>()
  const stems: string[] = []
  const terms: KeyTerm[] = []
  for (const { phrase, mentions, score } of rated) {
    if (terms.length >= limit || score < minScore) break
    const mention = mentions.find(({ sentence }) => !taken.has(sentence))
    if (!mention || phrase.stems.some((stem) => stems.some((other) => areRelated(stem, other)))) continue
    taken.add(mention.sentence)
    stems.push(...phrase.stems)
    const { text, segmentIds } = at(sentences, mention.sentence)
    const term = capitalize(mention.text, speech.tag)
    terms.push({ text: `${term}${colon}${text}`, segmentIds, sentence: mention.sentence })
  }
  return terms
}
