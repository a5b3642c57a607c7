import { createHash } from 'node:crypto'
import { APIError } from '@anthropic-ai/sdk'
import { estimateMinTokens } from '../estimate-tokens.ts'
import { matchesOutline, parseJson } from '../plain-json.ts'
import type { TextModelAnswer, TextModelPrompt } from '../text-model.ts'

/** The parts of the Messages API that compatible servers may lack. */
export type DialectFeature = 'schema' | 'effort' | 'cache' | 'documents'

/** The parts of the API that a request may use. */
export type Dialect = Readonly<Record<DialectFeature, boolean>>

export const FULL_DIALECT: Dialect = { schema: true, effort: true, cache: true, documents: true }
/** What every server understands: text messages. */
export const PLAIN_DIALECT: Dialect = { schema: false, effort: false, cache: false, documents: false }

/**
 * Words by which servers name parts of the API in their error messages. The order matters: effort and format share a parent.
 */
const NAMES: readonly [RegExp, readonly DialectFeature[]][] = [
  [/output_config[.\]"' ,:]{1,4}effort|reasoning[_ ]effort|(?:support|enable|allow) thinking|\beffort\b/i, ['effort']],
  [/json_schema|response_format|output_format|structured output|guided[_ ]|grammar/i, ['schema']],
  [/output_config[.\]"' ,:]{1,4}format/i, ['schema']],
  [/cache_control|prompt caching/i, ['cache']],
  [/['"`]document['"`]|document (?:block|content|type|source)|content (?:block )?type:? document/i, ['documents']],
]
const OUTPUT_CONFIG = /output_config/i
/** An error message about the form of a request that does not name the part. */
const FORM =
  /extra (?:inputs|fields)|unknown (?:field|parameter|argument|content|block|key)|unrecogni[sz]ed|unsupported|not (?:be )?supported|does not support|not permitted|unexpected (?:field|keyword|argument|block|key)|literal_error|union_tag|validation error|failed to (?:parse|deserialize)/i
/** Longer error messages repeat the request, such as a whole transcript, whose words say nothing about the server. */
const MAX_COMPLAINT = 1_000
const EDGE = 500
/** Where text repeated from the request begins. */
const REPEATED = /["'](?:data|text)["'] ?:/
/** Statuses of requests that a server does not understand, even if it does not say why. */
const FORM_STATUSES = new Set<number | undefined>([400, 415, 422, 501, undefined])
/** Statuses that say nothing about the form of a request. */
const OTHER_STATUSES = new Set([401, 402, 403, 404, 408, 409, 413, 429, 499, 502, 503, 504, 529])

/** Returns an error message without the parts of the request that it repeats. */
function readComplaint(message: string): string {
  if (message.length <= MAX_COMPLAINT) return message
  const [head = ''] = message.slice(0, EDGE).split(REPEATED)
  return `${head} ${message.slice(-EDGE)}`
}

/** Returns the parts of the API that an error message is about. */
function findRefused(error: unknown): readonly DialectFeature[] {
  if (!(error instanceof APIError)) return []
  const { status } = error
  if (status === undefined ? error.type !== 'invalid_request_error' : OTHER_STATUSES.has(status)) return []
  const message = readComplaint(error.message)
  const named = NAMES.flatMap(([name, features]) => (name.test(message) ? features : []))
  // The repeated request names every part. If the error was about something else, the next one says so.
  if (error.message.length > MAX_COMPLAINT && named.includes('documents')) return ['documents']
  if (named.length > 0) return named
  if (OUTPUT_CONFIG.test(message)) return ['schema', 'effort']
  return FORM_STATUSES.has(status) && FORM.test(message) ? ['schema', 'effort', 'cache', 'documents'] : []
}

/** Learns which parts of the API a server understands. */
export interface DialectLearner {
  readonly current: Dialect
  /** Learns from an error. Returns whether the same call may succeed in the dialect that is now current. */
  learnFromError(error: unknown, used: Dialect): boolean
  /**
   * Learns from an answer, because servers may silently ignore what they do not know. Returns `again` if that made the answer
   * useless, and `cut` if the server read only part of the prompt.
   */
  learnFromAnswer(prompt: TextModelPrompt, used: Dialect, answer: TextModelAnswer): 'ok' | 'again' | 'cut'
}

/** For the provider itself, which understands everything. */
export const FIXED_DIALECT: DialectLearner = {
  current: FULL_DIALECT,
  learnFromError: () => false,
  learnFromAnswer: () => 'ok',
}

/**
 * Creates an object that learns the dialect of a server. `onLearned` is called with the features that the server turns out to
 * lack.
 */
export function createDialectLearner(onLearned: (missing: readonly DialectFeature[]) => void): DialectLearner {
  let current = FULL_DIALECT
  let isSchemaProven = false
  const whole = createRecentSet()

  /** Stops using parts of the API. Returns whether the dialect now differs from `used`. */
  const giveUp = (features: readonly DialectFeature[], used: Dialect): boolean => {
    const missing = features.filter((feature) => current[feature])
    if (missing.length > 0) {
      current = { ...current, ...Object.fromEntries(missing.map((feature) => [feature, false])) }
      onLearned(missing)
    }
    return features.some((feature) => used[feature])
  }

  const isSchemaIgnored = ({ schema }: TextModelPrompt, used: Dialect, answer: TextModelAnswer): boolean => {
    if (!schema || !used.schema || isSchemaProven || answer.stop !== 'complete') return false
    isSchemaProven = matchesOutline(parseJson(answer.text), schema)
    return !isSchemaProven
  }

  return {
    get current() {
      return current
    },
    learnFromError(error, used) {
      const refused = findRefused(error)
      return refused.length > 0 && giveUp(refused, used)
    },
    learnFromAnswer(prompt, used, answer) {
      if (answer.stop === 'refused' || answer.stop === 'too-long') return 'ok'
      const isShort = countPrompt(answer) < estimateMinTokens(joinPrompt(prompt))
      // A server that does not know schemas is not likely to know documents.
      if (isSchemaIgnored(prompt, used, answer)) return giveUp(['schema', 'documents'], used) ? 'again' : 'ok'
      if (!isShort) {
        whole.add(prompt.document)
        return 'ok'
      }
      if (giveUp(['documents'], used)) return 'again'
      // A server need not count what it has kept from earlier prompts: neither the rules nor a document that it has read.
      const isCut = !whole.has(prompt.document) && countPrompt(answer) < estimateMinTokens(prompt.document)
      return isCut ? 'cut' : 'ok'
    },
  }
}

/** Returns how many tokens of the prompt the server has counted; more than any prompt has if it does not count. */
const countPrompt = ({ usage }: TextModelAnswer): number =>
  usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens || Number.POSITIVE_INFINITY

const joinPrompt = ({ system, document, instruction, turns = [] }: TextModelPrompt): string =>
  [system, document, instruction, ...turns.map((turn) => turn.text)].join('\n')

const MAX_RECENT = 200

/** Creates a set of the most recently added texts. It keeps only their hashes. */
function createRecentSet() {
  const hashes = new Set<string>()
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64')
  return {
    has: (text: string): boolean => hashes.has(hash(text)),
    add(text: string): void {
      hashes.add(hash(text))
      const [oldest] = hashes
      if (hashes.size > MAX_RECENT && oldest !== undefined) hashes.delete(oldest)
    },
  }
}
