import { createBlobMonitor } from '@subtext/blobs'
import { ESTIMATE_BASES, LANES, type Lane, SIGN_IN_WAYS, type SignInWay, type VideoEstimate } from '@subtext/contracts'
import { SIGN_IN_OUTCOMES, type SignInOutcome } from '@subtext/core/accounts'
import { EMAIL_OUTCOMES, type EmailOutcome } from '@subtext/core/emails'
import {
  createDatabaseMetrics,
  createDemandMetrics,
  createLossCounter,
  createSpendingCounter,
} from '@subtext/core/metrics'
import { createRenderMetrics } from '@subtext/documents'
import { createModelMetrics } from '@subtext/llm'
import { createModelSlotMetrics } from '@subtext/queue'
import { countRefusedConnections, createHttpMetrics, createProcessMetrics, type Metrics } from '@subtext/runtime'
import { createChatMetrics } from './chat/metrics.ts'
import { createImportMetrics } from './imports/metrics.ts'
import { createLibraryMetrics } from './library/metrics.ts'

const EXPORTED = ['batch', 'library'] as const
export type Exported = (typeof EXPORTED)[number]

/** Creates all metrics of the API. */
export function createApiMetrics(metrics: Metrics) {
  const fallbacks = metrics.counter(
    'subtext_request_limit_fallbacks_total',
    'Requests served without a shared limit because Redis was unavailable.',
    {},
  )
  const accepted = metrics.counter('subtext_jobs_accepted_total', 'Jobs accepted, those of batches included.', {
    lane: LANES,
  })
  const estimates = metrics.counter('subtext_estimates_total', 'Estimates, by their verdict and what they rest on.', {
    verdict: ['would_accept', 'would_refuse'],
    basis: ESTIMATE_BASES,
  })
  const exported = metrics.counter(
    'subtext_result_exports_total',
    'Exports of batches and libraries: `sent` as a whole, `abandoned` by their reader, or `failed`.',
    { of: EXPORTED, outcome: ['sent', 'abandoned', 'failed'] },
  )
  const derived = metrics.counter('subtext_jobs_derived_total', 'Accepted jobs that are derived from another job.', {})
  const signIns = metrics.counter('subtext_sign_ins_total', 'Attempts to sign in, by way and outcome.', {
    way: [...SIGN_IN_WAYS, 'sign_up'],
    outcome: SIGN_IN_OUTCOMES,
  })
  const emails = metrics.counter(
    'subtext_emails_total',
    'Attempts to send an email: `sent` to the mail server, `postponed` because it was unavailable or busy, `refused` by it for good, or `expired` before it could be sent.',
    { outcome: EMAIL_OUTCOMES },
  )
  const connections = metrics.gauge('subtext_http_connections', 'Open connections of clients.', {})
  const imports = createImportMetrics(metrics)
  return {
    process: createProcessMetrics(metrics),
    http: createHttpMetrics(metrics),
    countFallback: () => fallbacks({}),
    countSignIn: (way: SignInWay | 'sign_up', outcome: SignInOutcome) => signIns({ way, outcome }),
    countEmail: (outcome: EmailOutcome) => emails({ outcome }),
    countAccepted: ({ lane, imported }: { lane: Lane; imported?: unknown }) => {
      accepted({ lane })
      if (imported) imports.countAccepted()
    },
    imports,
    countEstimate: ({ would_accept, basis }: Pick<VideoEstimate, 'would_accept' | 'basis'>) =>
      estimates({ verdict: would_accept ? 'would_accept' : 'would_refuse', basis }),
    countDerived: () => derived({}),
    countExport: (of: Exported, outcome: 'sent' | 'abandoned' | 'failed') => exported({ of, outcome }),
    countRefused: countRefusedConnections(metrics),
    observeConnections: (count: () => Promise<number>) => connections(async () => [[{}, await count()]]),
    observeDemand: createDemandMetrics(metrics),
    countSpendingRefused: createSpendingCounter(metrics),
    countLost: createLossCounter(metrics),
    database: createDatabaseMetrics(metrics),
    blobs: createBlobMonitor(metrics),
    chat: createChatMetrics(metrics),
    observeSearch: createLibraryMetrics(metrics),
    model: createModelMetrics(metrics),
    observeModelSlots: createModelSlotMetrics(metrics),
    renders: createRenderMetrics(metrics),
  }
}
export type ApiMetrics = ReturnType<typeof createApiMetrics>
