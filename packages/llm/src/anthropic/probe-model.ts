import type Anthropic from '@anthropic-ai/sdk'
import { parseJson } from '../plain-json.ts'
import type { ModelEnv } from '../settings.ts'
import type { TextModelAnswer, TextModelPrompt } from '../text-model.ts'
import { classifyFailure, isPromptTooLong } from './classify-failure.ts'
import { createClient } from './create-client.ts'
import { type Dialect, PLAIN_DIALECT } from './dialect.ts'
import { buildRequest, sendCall } from './send-call.ts'

/** What a server does with a part of the Messages API: uses it, ignores it silently, or refuses the request. */
export type Support = 'used' | 'ignored' | 'refused'

export interface ModelReport {
  /** Null if the server did not answer; `problem` then says why. */
  answer: {
    isStreamed: boolean
    countsTokens: boolean
    firstTextMs: number
    /** Null if the answer was too short to measure. */
    tokensPerSecond: number | null
  } | null
  problem: string | null
  schema: Support
  documents: Support
  effort: Exclude<Support, 'ignored'>
  cache: Exclude<Support, 'ignored'>
  /** Whether a prompt that was sent again was counted as read from a cache. */
  countsCache: boolean
  /** What the server did with a long prompt of `tokens`. */
  context: { tokens: number; outcome: 'read' | 'cut' | 'refused' }
}

/** A text that no model can guess. */
const SECRET = 'violet harbour'
const DOCUMENT = `<transcript>\n[1] The password is ${SECRET}.\n</transcript>`
const PROMPT: TextModelPrompt = {
  system: 'You answer questions about a document, briefly.',
  document: DOCUMENT,
  cacheDocument: null,
  instruction: 'What is the password? Answer with its two words alone.',
  maxOutputTokens: 1_000,
}
const SCHEMA = {
  type: 'object',
  properties: { password: { type: 'string' } },
  required: ['password'],
  additionalProperties: false,
}
const COUNTING = {
  ...PROMPT,
  instruction: 'Count from one to forty in words, separated by commas. Write nothing else.',
}
/** A model may send its first words together. */
const MIN_PIECES = 4
/** More than the usual default of 4,096, beyond which some servers drop the beginning without an error. */
const LONG_PROMPT_TOKENS = 6_000
const TOKENS_PER_LINE = 20
/** Tokens reserved for the answer and the rest of the prompt. */
const RESERVED_TOKENS = 1_500

type ProbeEnv = Pick<
  ModelEnv,
  'ANTHROPIC_API_KEY' | 'ANTHROPIC_BASE_URL' | 'SUMMARY_MODEL' | 'MODEL_TIMEOUT_SECONDS' | 'MODEL_CONTEXT_TOKENS'
>

type Outcome = { answer: TextModelAnswer } | { error: unknown }

/** Sends one prompt in a dialect. */
type Ask = (prompt: TextModelPrompt, dialect: Partial<Dialect>, onText?: (text: string) => void) => Promise<Outcome>

function createAsk(env: ProbeEnv, client: Anthropic): Ask {
  const { SUMMARY_MODEL: model, MODEL_TIMEOUT_SECONDS: seconds } = env
  return async (prompt, dialect, onText) => {
    const request = buildRequest(model, prompt, { ...PLAIN_DIALECT, ...dialect })
    const { cacheDocument } = prompt
    const { signal } = new AbortController()
    return sendCall(client, request, { cacheDocument, signal, onText }, seconds * 1_000).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
  }
}

const knowsSecret = (text: string): boolean => text.toLowerCase().includes(SECRET)

/** Returns what the server did with a feature, given whether its answer shows that the feature was used. */
const judge = (outcome: Outcome, isUsed: (text: string) => boolean): Support => {
  if ('error' in outcome) return 'refused'
  return isUsed(outcome.answer.text) ? 'used' : 'ignored'
}

const hasPassword = (text: string): boolean =>
  typeof (parseJson(text) as { password?: unknown } | null)?.password === 'string'

async function probeSpeed(ask: Ask): Promise<{ answer: ModelReport['answer'] } | { error: unknown }> {
  const sentAt = performance.now()
  let firstAt: number | null = null
  let pieces = 0
  const outcome = await ask(COUNTING, {}, () => {
    firstAt ??= performance.now()
    pieces++
  })
  if ('error' in outcome) return outcome
  const { usage } = outcome.answer
  const began = firstAt ?? performance.now()
  const seconds = (performance.now() - began) / 1_000
  return {
    answer: {
      isStreamed: pieces >= MIN_PIECES,
      countsTokens: usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens > 0 && usage.outputTokens > 0,
      firstTextMs: began - sentAt,
      tokensPerSecond:
        pieces >= MIN_PIECES && seconds > 0 && usage.outputTokens > 0 ? usage.outputTokens / seconds : null,
    },
  }
}

/** Sends a long prompt twice. The answer is at its beginning, and the second prompt may come from a cache. */
async function probeContext(
  ask: Ask,
  tokens: number,
  cache: boolean,
): Promise<Pick<ModelReport, 'context' | 'countsCache'>> {
  const filler = Array.from(
    { length: Math.ceil(tokens / TOKENS_PER_LINE) },
    (_, index) => `[${index + 2}] After that, the ferry left the island again, and nobody on it said a word.`,
  )
  const document = DOCUMENT.replace('\n</', `\n${filler.join('\n')}\n</`)
  const prompt: TextModelPrompt = { ...PROMPT, document, cacheDocument: cache ? '5m' : null }
  const first = await ask(prompt, { cache })
  if ('error' in first || first.answer.stop === 'too-long')
    return { context: { tokens, outcome: 'refused' }, countsCache: false }
  const second = await ask(prompt, { cache })
  return {
    context: { tokens, outcome: knowsSecret(first.answer.text) ? 'read' : 'cut' },
    countsCache: 'answer' in second && second.answer.usage.cachedInputTokens > 0,
  }
}

/** Explains to an operator why a server does not answer. */
function explain(error: unknown): string {
  if (isPromptTooLong(error)) return 'It refuses even a short prompt as too long.'
  switch (classifyFailure(error, Date.now())?.kind) {
    case 'network':
      return 'It cannot be reached. Check ANTHROPIC_BASE_URL, and that the server is running.'
    case 'unauthorized':
      return 'It refuses the key. Check ANTHROPIC_API_KEY.'
    case 'not_found':
      return 'It knows neither the path /v1/messages nor the model. Check SUMMARY_MODEL, and that ANTHROPIC_BASE_URL does not end with /v1.'
    case 'timeout':
    case 'stalled':
      return 'It does not answer in time. Raise MODEL_TIMEOUT_SECONDS, or use a smaller model.'
    case 'billing':
      return 'The account has no credit left.'
    default:
      return error instanceof Error ? error.message.slice(0, MAX_MESSAGE) : 'It failed.'
  }
}
const MAX_MESSAGE = 300

const NOTHING: Omit<ModelReport, 'problem'> = {
  answer: null,
  schema: 'refused',
  documents: 'refused',
  effort: 'refused',
  cache: 'refused',
  countsCache: false,
  context: { tokens: 0, outcome: 'refused' },
}

/** Finds out what the configured server supports, with about eight short prompts and one of some 6,000 tokens, sent twice. */
export async function probeModel(env: ProbeEnv): Promise<ModelReport> {
  const { ANTHROPIC_API_KEY: apiKey = '', ANTHROPIC_BASE_URL: baseUrl, MODEL_CONTEXT_TOKENS: contextTokens } = env
  const ask = createAsk(env, createClient({ apiKey, baseUrl }, env.MODEL_TIMEOUT_SECONDS * 1_000))
  const speed = await probeSpeed(ask)
  if ('error' in speed) return { ...NOTHING, problem: explain(speed.error) }
  const documents = judge(await ask(PROMPT, { documents: true }), knowsSecret)
  const schema = judge(await ask({ ...PROMPT, schema: SCHEMA }, { schema: true }), hasPassword)
  const effort = judge(await ask(PROMPT, { effort: true }), () => true)
  const cache = judge(await ask({ ...PROMPT, cacheDocument: '5m' }, { cache: true }), () => true)
  const tokens = Math.min(LONG_PROMPT_TOKENS, (contextTokens ?? LONG_PROMPT_TOKENS + RESERVED_TOKENS) - RESERVED_TOKENS)
  const isRefused = (support: Support): 'used' | 'refused' => (support === 'refused' ? 'refused' : 'used')
  return {
    ...speed,
    problem: null,
    schema,
    documents,
    effort: isRefused(effort),
    cache: isRefused(cache),
    ...(await probeContext(ask, tokens, cache === 'used')),
  }
}
