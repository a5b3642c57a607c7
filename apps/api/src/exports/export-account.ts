import type { Account, AttributionFields, SubmitVideo } from '@subtext/contracts'
import { type OwnJob, readOwnJobs, readOwnTables } from '@subtext/core/accounts'
import type { SignedInActor } from '@subtext/core/context'
import { RENDERERS, streamArray, streamJson, writeJson } from '@subtext/render'
import type { ApiContext } from '../context.ts'
import type { ZippedFile } from '../http/zip.ts'
import { presentConversation, presentExchange } from '../presenters/chat.ts'
import { presentJob } from '../presenters/job.ts'
import { type PresentContext, toRenderable } from '../presenters/result.ts'

/** Many small files would take longer to write than their content. */
const JOBS_PER_FILE = 100

/** Yields the files of an export: JSON, read from the database while they are written. */
export async function* listExportedFiles(
  ctx: PresentContext & Pick<ApiContext, 'db'>,
  actor: SignedInActor,
  account: Account,
): AsyncGenerator<ZippedFile> {
  yield { path: 'account.json', content: writeJson(account) }
  for (const { name, rows } of readOwnTables(ctx, actor)) {
    yield { path: `${name}.json`, content: writeJson(streamArray(rows)) }
  }
  yield* listJobFiles(ctx, readOwnJobs(ctx, actor))
}

/** Yields files with up to 100 jobs each. The first one exists even if there are no jobs. */
async function* listJobFiles(ctx: PresentContext, jobs: AsyncGenerator<OwnJob>): AsyncGenerator<ZippedFile> {
  let next = await jobs.next()
  async function* takeJobs() {
    for (let taken = 0; taken < JOBS_PER_FILE && !next.done; taken++) {
      yield streamJson(writeJson(presentOwnJob(ctx, next.value)))
      next = await jobs.next()
    }
  }
  for (let file = 1; file === 1 || !next.done; file++) {
    yield { path: `jobs/${String(file).padStart(5, '0')}.json`, content: writeJson(streamArray(takeJobs())) }
  }
}

/** The fields of a submission that are part of the job as its status shows it. */
type ShownField = 'url' | 'source' | 'priority' | keyof typeof AttributionFields

const presentOwnJob = (ctx: PresentContext, { job, receipt, finished, conversations }: OwnJob): object => ({
  job: presentJob(job, 0),
  request: {
    options: job.options,
    custom_instructions: job.customInstructions,
    use_proxy: job.useProxy,
    force_refresh: job.forceRefresh,
    webhook_url: job.webhookUrl,
  } satisfies Record<Exclude<keyof SubmitVideo, ShownField>, unknown>,
  receipt,
  result: finished && streamJson(RENDERERS.json.render(toRenderable(ctx, finished))),
  conversations: conversations.map(({ conversation, exchanges, place }) => ({
    ...presentConversation(conversation),
    messages: exchanges.flatMap((exchange) => presentExchange(place, exchange)),
  })),
})
