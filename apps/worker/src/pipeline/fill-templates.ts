import {
  type Extraction,
  type ExtractionContent,
  type PinnedTemplate,
  ServiceError,
  type Warning,
} from '@subtext/contracts'
import { acquireAfterLooking, retryThroughOutage, singleFlight } from '@subtext/core/coordination'
import { type Job, retryDelay } from '@subtext/core/jobs'
import { createReserver } from '@subtext/core/spending'
import type { JobSummary } from '@subtext/core/summaries'
import { findDefinition, findEarlierExtraction, listExtractions, saveExtraction } from '@subtext/core/templates'
import {
  buildExtractionKey,
  type ExtractionOutcome,
  listMissingWarnings,
  type MissingTemplate,
  type TemplateToFill,
} from '@subtext/summarize'
import type { WorkerContext } from '../context.ts'
import { selectLanguage, spendingSubjectOf, type TranscriptForSummaries } from './summary-keys.ts'
import { storeSpending } from './summary-stores.ts'

interface FillingJob {
  job: Job
  transcript: TranscriptForSummaries
  signal: AbortSignal
}

interface Unfilled extends MissingTemplate {
  error: ServiceError | null
}

export interface FilledTemplates {
  extractions: Extraction[]
  unfilled: Unfilled[]
}

/**
 * Fills the templates of a job, one after the other, and returns all extractions that the job has. Each is stored at once. What
 * an earlier job of the account got from the same transcript and version is reused.
 */
export async function fillTemplates(ctx: WorkerContext, work: FillingJob): Promise<FilledTemplates> {
  const { job, signal } = work
  const pinned = job.options.pinned_templates ?? []
  if (pinned.length === 0 && !job.derivedFrom) return { extractions: [], unfilled: [] }
  const list = () => retryThroughOutage(signal, () => listExtractions(ctx.db, job.id))
  const present = await list()
  const names = new Set(present.map(({ template }) => template))
  const missing = pinned.filter(({ name }) => !names.has(name))
  const unfilled: Unfilled[] = []
  for (const template of missing) {
    const outcome = await fillTemplate(ctx, work, template)
    if ('missing' in outcome) unfilled.push({ name: template.name, reason: outcome.missing, error: outcome.error })
  }
  return { extractions: missing.length > 0 ? await list() : present, unfilled }
}

async function fillTemplate(ctx: WorkerContext, work: FillingJob, pinned: PinnedTemplate): Promise<ExtractionOutcome> {
  const { job, signal } = work
  const definition = await retryThroughOutage(signal, () => findDefinition(ctx.db, pinned))
  if (!definition) return { missing: 'invalid', error: null }
  const template = { ...definition, name: pinned.name, isBuiltIn: pinned.id === null }
  const cacheKey = buildCacheKey(ctx, work, pinned)
  const save = (content: ExtractionContent) =>
    retryThroughOutage(signal, () => {
      const { name, version } = pinned
      const extraction = { jobId: job.id, name, version, schema: template.schema, cacheKey, content }
      return saveExtraction(ctx.db, extraction, ctx.clock())
    })
  // Jobs of an account that ask for the same pay for it once.
  const outcome = await singleFlight<ExtractionOutcome>(
    ctx,
    `extraction:${job.userId}:${cacheKey.toString('base64')}`,
    signal,
    {
      async start(lease) {
        const content = await findEarlierExtraction(ctx.db, job.userId, cacheKey, notBefore(job))
        return content ? { found: { content } } : { lease: await acquireAfterLooking(ctx, lease) }
      },
      async produce() {
        const filled = await fill(ctx, work, template)
        // Others look for it as soon as the lease ends.
        if ('content' in filled) await save(filled.content)
        return filled
      },
      leaseSeconds: ctx.work.leaseSeconds,
    },
  )
  if ('content' in outcome) await save(outcome.content)
  ctx.metrics.countExtraction({ outcome: describe(outcome) })
  return outcome
}

const describe = (outcome: ExtractionOutcome) => {
  if ('content' in outcome) return 'filled'
  if (outcome.missing === 'model-required') return 'model_required'
  if (outcome.missing === 'over-limit') return 'over_limit'
  return outcome.missing === 'invalid' ? 'invalid' : 'failed'
}

const notBefore = (job: Job): Date => (job.forceRefresh ? job.createdAt : new Date(0))

const buildCacheKey = (ctx: WorkerContext, { job, transcript }: FillingJob, template: PinnedTemplate): Buffer =>
  buildExtractionKey({
    version: ctx.extractor.version,
    model: ctx.extractor.model,
    transcriptId: transcript.id,
    cueCount: transcript.cues.length,
    template,
    instructions: job.customInstructions,
    language: selectLanguage({ ctx, job, transcript }),
  })

const fill = (
  ctx: WorkerContext,
  { job, transcript, signal }: FillingJob,
  template: TemplateToFill,
): Promise<ExtractionOutcome> =>
  ctx.extractor.extract(
    {
      video: transcript.info,
      track: transcript.track,
      cues: transcript.cues,
      instructions: job.customInstructions,
      outputLanguage: selectLanguage({ ctx, job, transcript }),
    },
    template,
    {
      signal,
      reserve: createReserver(ctx, spendingSubjectOf(job), { signal }),
      onSpending: (spending) => storeSpending({ ctx, job, signal }, spending),
    },
  )

/**
 * Throws if the job should be tried again, because the model was away, or fail, because nothing was made. A template that the
 * model answered without filling it is not tried again: that would cost as much once more.
 */
export function assertFilled(
  ctx: WorkerContext,
  job: Job,
  summaries: readonly JobSummary[],
  { extractions, unfilled }: FilledTemplates,
): void {
  const away = unfilled.find(({ reason }) => reason === 'unavailable')
  if (away?.error && retryDelay(away.error, job.attempts, ctx.work.retrySchedule) !== null) throw away.error
  if (summaries.length > 0 || extractions.length > 0) return
  // Another attempt would not change the limit, and the transcript is worth something.
  const isOverLimit = unfilled.some(({ reason }) => reason === 'over-limit')
  const isAll = job.options.summary_modes.length === 0 && !isOverLimit
  const failed = away ?? (isAll ? unfilled.find(({ error }) => error) : undefined)
  if (failed) throw new ServiceError('SUMMARY_UNAVAILABLE', { retryable: failed.error?.retryable, cause: failed.error })
}

export const listTemplateWarnings = ({ unfilled }: FilledTemplates): Warning[] => listMissingWarnings(unfilled)
