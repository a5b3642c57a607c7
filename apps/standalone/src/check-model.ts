import { type Cue, listPoints, type Summary } from '@subtext/contracts'
import { type ModelReport, openModel, probeModel, type Support } from '@subtext/llm'
import { ModelEnv, promptLimitsOf } from '@subtext/llm/settings'
import { formatClock } from '@subtext/render'
import { EnvError, envIssues, redactText } from '@subtext/runtime'
import { createModelSummarizer, type SummarySource, type UnwrittenReason } from '@subtext/summarize'
import { RefusedError } from './admin-context.ts'
import type { Settings } from './env.ts'

const SENTENCES = [
  'The first lighthouse on this coast was built in 1811, after forty ships had been lost in one winter.',
  'Its lamp burned whale oil, and a keeper climbed two hundred steps every evening to light it.',
  'In fog the light was useless, so the keepers rang a bell by hand, once a minute, all night.',
  'The lens that came in 1857 changed everything: it bundled the light into a beam that was seen for thirty kilometers.',
  'With it, the losses fell by more than half within ten years.',
  'Electricity arrived in 1926, and the bell gave way to a horn.',
  'The last keeper left in 1988, when the station was automated.',
  'Today a small solar panel feeds the lamp, and ships find their way by satellite.',
  'The town wanted to switch the light off, but fishermen objected: receivers fail, they said, and the light does not.',
  'So it still turns every night, and the tower has become a museum.',
]
const SECONDS_PER_SENTENCE = 7

const CUES: Cue[] = SENTENCES.map((text, index) => ({
  startMs: index * SECONDS_PER_SENTENCE * 1_000,
  durationMs: SECONDS_PER_SENTENCE * 1_000,
  text,
}))

const SAMPLE: SummarySource = {
  video: {
    video_id: 'sbtx-lighthouse',
    url: '',
    title: 'The lighthouse',
    channel: { id: '', name: 'Samples', url: '' },
    description: '',
    published_at: null,
    duration_seconds: SENTENCES.length * SECONDS_PER_SENTENCE,
    thumbnail_url: '',
    language: 'en',
    is_live_archive: false,
    chapters: [],
  },
  track: { key: 'en', language: 'en', kind: 'manual', name: 'English', isDefault: true },
  cues: CUES,
  instructions: null,
  outputLanguage: null,
}

/**
 * Probes the configured model server, and returns what it supports, how fast it is, and a sample summary. Throws
 * `RefusedError` if it does not answer, and `EnvError` if a setting is invalid.
 */
export async function checkModel(settings: Settings): Promise<string> {
  const issues = envIssues(ModelEnv, settings)
  if (issues.length > 0) throw new EnvError(issues)
  const env = ModelEnv.parse(settings)
  if (!env.ANTHROPIC_API_KEY) {
    throw new RefusedError('ANTHROPIC_API_KEY is not set. For a server without keys, set it to any text.')
  }
  const report = await probeModel(env)
  const server = env.ANTHROPIC_BASE_URL ?? "the provider's own API"
  const title = `${env.SUMMARY_MODEL} on ${server}`
  if (!report.answer) {
    throw new RefusedError(toVisible(`${title} does not answer. ${redactText(report.problem ?? '')}`.trim()))
  }
  return toVisible([title, '', ...describeReport(report), '', ...(await writeSample(env))].join('\n'))
}

/** Text from a server must not contain control characters that steer the terminal or reverse the direction of text. */
const toVisible = (text: string): string => text.replace(/[^\P{C}\n]/gu, '')

const LABEL_WIDTH = 18
const row = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)}${text}`

const describeSupport = (support: Support, fallback: string): string =>
  support === 'used' ? 'yes' : `no (${support}): ${fallback}`

function describeReport({ answer, schema, documents, effort, cache, countsCache, context }: ModelReport): string[] {
  const { tokens, outcome } = context
  const speed = answer?.tokensPerSecond
  return [
    row('first text', `${((answer?.firstTextMs ?? 0) / 1_000).toFixed(1)} s`),
    row('speed', speed ? `${Math.round(speed)} tokens a second` : 'not measured'),
    row('streams', answer?.isStreamed ? 'yes' : 'no: chat shows answers when they are complete'),
    row('counts tokens', answer?.countsTokens ? 'yes' : 'no: usage and cost are 0'),
    row('JSON Schema', describeSupport(schema, 'the schema is part of the prompt')),
    row('documents', describeSupport(documents, 'transcripts are sent as text')),
    row('effort', describeSupport(effort, "the model's default")),
    row('cache control', describeSupport(cache, 'sent without')),
    row('cached tokens', countsCache ? 'counted' : 'not counted'),
    row(
      `${tokens} tokens`,
      {
        read: 'read in full',
        cut: 'CUT WITHOUT AN ERROR. Set MODEL_CONTEXT_TOKENS to the context window of the server, or raise the window',
        refused: 'refused. Set MODEL_CONTEXT_TOKENS to the context window of the server, or raise the window',
      }[outcome],
    ),
  ]
}

const REASONS: Record<UnwrittenReason, string> = {
  'too-long': 'it does not fit into the context window of the server. Set MODEL_CONTEXT_TOKENS to that window.',
  unusable: 'no answer of the model passed the checks. The model may be too small.',
  declined: 'the model declined.',
  unavailable: 'the server failed, or took too long.',
  'over-limit': 'the sample would cost more than a spending limit allows.',
  wordless: 'the sample has no words.',
}

async function writeSample(env: ModelEnv): Promise<string[]> {
  const opened = openModel({ ...env, SUMMARIZER: 'anthropic' })
  if (!opened) return []
  const written: Summary[] = []
  const summarizer = createModelSummarizer(opened.model, {
    computeCostUsd: opened.computeCostUsd,
    ...promptLimitsOf(env),
  })
  const startedAt = performance.now()
  const [unwritten] = await summarizer.summarize(SAMPLE, ['tldr'], {
    signal: AbortSignal.timeout(env.MODEL_TIMEOUT_SECONDS * 1_000),
    onSummary: async (summary) => void written.push(summary),
    onSpending: async () => {},
  })
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  const [summary] = written
  if (!summary) {
    const reason = unwritten?.reason ?? 'unavailable'
    return [`The sample was not summarized, after ${seconds} s: ${REASONS[reason]}`]
  }
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, costUsd } = summary.usage
  const input = inputTokens + cachedInputTokens + cacheWriteTokens
  return [
    `Sample summary of a talk of ${SENTENCES.length} sentences, in ${seconds} s, ${input} + ${outputTokens} tokens, $${costUsd.toFixed(6)}:`,
    '',
    ...listPoints(summary.content).map(({ text, segmentIds }) => `  ${text} ${describeMoments(segmentIds)}`),
  ]
}

const describeMoments = (segmentIds: number[]): string =>
  segmentIds.length === 0
    ? '(not supported)'
    : `[${segmentIds.map((id) => formatClock(CUES[id - 1]?.startMs ?? 0)).join(', ')}]`
