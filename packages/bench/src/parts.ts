import { measureCaptions } from './captions.ts'
import { measureClaimChecks } from './claims/measure-claims.ts'
import { measureDollars } from './dollars.ts'
import { measureWholeJob } from './job/whole-job.ts'
import { measureMemory } from './memory.ts'
import { measureMixedLoad } from './mixed/mixed-load.ts'
import type { Part } from './part.ts'
import { measureExports } from './requests/exports.ts'
import { measureAccept, measureList, measureResult, measureStatus } from './requests/requests.ts'
import { measureScale } from './scale/scale.ts'
import { measureSearch } from './search/measure-search.ts'
import { measureStreams } from './streams.ts'
import { measureExtracts } from './summaries/measure-extracts.ts'
import { measureQuotations } from './templates/measure-quotations.ts'
import { measureWaiting } from './waiting.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWriteCosts } from './writes/writes.ts'

/** What `npm run bench` measures, in this order. Together they take less than 15 minutes on an idle machine. */
export const PARTS: Record<string, Part> = {
  job: measureWholeJob,
  accept: measureAccept,
  status: measureStatus,
  list: measureList,
  result: measureResult,
  webhook: measureWebhooks,
  memory: measureMemory,
  dollars: measureDollars,
  waiting: measureWaiting,
}

/** What runs only when it is named, as `npm run bench -- <name>`. */
export const SEPARATE_PARTS: Record<string, Part> = {
  captions: measureCaptions,
  claims: ({ words }) => measureClaimChecks(words),
  exports: measureExports,
  mixed: measureMixedLoad,
  scale: measureScale,
  search: measureSearch,
  streams: measureStreams,
  summaries: ({ words }) => measureExtracts(words),
  templates: measureQuotations,
  writes: measureWriteCosts,
}
