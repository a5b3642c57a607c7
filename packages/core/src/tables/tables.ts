import {
  type FormSchema,
  MAX_TABLE_ROWS,
  type PinnedTemplate,
  ServiceError,
  type TableSubject,
  validationError,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { validate as isUuid, v7 as newId } from 'uuid'
import { getBatch } from '../batches/get.ts'
import type { Actor } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { acceptPreparedJobs, type DeriveContext, type PreparedJob, prepareDerivedJob } from '../jobs/derive.ts'
import { getJob, hasEnded } from '../jobs/get.ts'
import type { ShownJob } from '../jobs/job-row.ts'
import { assertTemplatesIncluded } from '../plans/gates.ts'
import { findDefinition, pinTemplates, saveHiddenTemplate } from '../templates/index.ts'
import { type FilledRow, findTable, readTableRows, type StoredTable, saveTable, type TableRow } from './tables-sql.ts'

interface TableContext extends DeriveContext {
  /** Whether a language model is configured. */
  hasModel: boolean
}

const RETRY_AFTER_SECONDS = 5

/** A table with what is known of its rows. */
export interface FilledTable {
  table: StoredTable
  rows: FilledRow[]
}

/** Returns a table of the actor. Error: `NOT_FOUND`. */
export async function getTable(
  ctx: Pick<TableContext, 'db'>,
  { userId }: Actor,
  tableId: string,
): Promise<FilledTable> {
  const table = isUuid(tableId) ? await findTable(ctx.db, userId, tableId) : null
  if (!table) throw new ServiceError('NOT_FOUND')
  return { table, rows: await readTableRows(ctx.db, table) }
}

/**
 * Creates a table over the jobs of a batch. Errors: `PLAN_UPGRADE_REQUIRED`, `NOT_FOUND`, `JOB_NOT_COMPLETED`,
 * `VALIDATION_ERROR` (too many videos, unknown template), `SUMMARY_UNAVAILABLE` without a model.
 */
export async function createBatchTable(
  ctx: TableContext,
  actor: Actor,
  batchId: string,
  subject: TableSubject,
  reserved?: ReservedResource,
): Promise<FilledTable> {
  assertTemplatesIncluded(actor)
  const { batch, jobs } = await getBatch(ctx, actor, batchId)
  if (batch.pending > 0) throw notCompleted('processing', batch.progress)
  if (jobs.length > MAX_TABLE_ROWS) {
    const message = `The batch has ${jobs.length} videos, and a table at most ${MAX_TABLE_ROWS}. Use \`POST /library/table\` for some of them.`
    throw validationError([{ path: 'batch_id', message, code: 'too_big' }])
  }
  return createTable(ctx, actor, jobs, subject, reserved)
}

/** Creates a table over jobs of the actor. Errors: those of `createBatchTable`. */
export async function createLibraryTable(
  ctx: TableContext,
  actor: Actor,
  { job_ids, ...subject }: TableSubject & { job_ids: string[] },
  reserved?: ReservedResource,
): Promise<FilledTable> {
  assertTemplatesIncluded(actor)
  const jobs: ShownJob[] = []
  for (const id of new Set(job_ids.map((each) => each.toLowerCase()))) jobs.push(await getJob(ctx, actor, id))
  const unfinished = jobs.find((job) => !hasEnded(job))
  if (unfinished) throw notCompleted(unfinished.status, unfinished.progress)
  return createTable(ctx, actor, jobs, subject, reserved)
}

const notCompleted = (status: ShownJob['status'], progress: number): ServiceError =>
  new ServiceError('JOB_NOT_COMPLETED', {
    details: { status, progress_percentage: progress },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

const QUESTIONS = 'table'
const columnOf = (index: number): string => `answer_${index + 1}`

const buildQuestionForm = (questions: readonly string[]): FormSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    questions.map((question, index) => [columnOf(index), { type: ['string', 'null'], title: question }]),
  ),
})

type Columns = StoredTable['columns']

interface Subject {
  pinned: PinnedTemplate
  columns: Columns
  /** Writes the form, if it is not a template that exists. */
  save: (sql: Sql) => Promise<void>
}

/** Returns the form of a table, and the columns that it fills. */
async function bindSubject(
  ctx: TableContext,
  { userId }: Actor,
  { template, questions = [] }: TableSubject,
): Promise<Subject> {
  if (template === undefined) {
    const pinned = { id: newId(), name: QUESTIONS, version: 1 }
    const form = { ...pinned, userId, schema: buildQuestionForm(questions) }
    return {
      pinned,
      columns: questions.map((title, index) => ({ title, property: columnOf(index) })),
      save: (sql) => saveHiddenTemplate(sql, form, ctx.clock()),
    }
  }
  const [found] = await pinTemplates(ctx.db, userId, [{ references: [template], pathOf: () => 'template' }])
  const [pinned] = found?.templates ?? []
  const definition = pinned && (await findDefinition(ctx.db, pinned))
  if (!definition) throw validationError(found?.issues ?? [])
  const names = Object.keys(definition.schema.properties ?? {})
  const columns = names.map((name) => ({ title: name, property: name }))
  return { pinned, columns, save: async () => undefined }
}

async function createTable(
  ctx: TableContext,
  actor: Actor,
  jobs: readonly Pick<ShownJob, 'id' | 'videoId' | 'status'>[],
  subject: TableSubject,
  reserved?: ReservedResource,
): Promise<FilledTable> {
  const { userId } = actor
  const earlier = reserved?.mayExist ? await findTable(ctx.db, userId, reserved.id) : null
  if (earlier) return { table: earlier, rows: await readTableRows(ctx.db, earlier) }
  if (!ctx.hasModel) {
    const message = 'Tables need a language model, and this installation has none.'
    throw new ServiceError('SUMMARY_UNAVAILABLE', { message, retryable: false })
  }
  const { pinned, columns, save } = await bindSubject(ctx, actor, subject)
  const filling: PreparedJob[] = []
  const rows: TableRow[] = []
  for (const { id, videoId, status } of jobs) {
    const filledBy = status === 'completed' ? newId() : null
    rows.push({ jobId: id, videoId, filledBy })
    if (filledBy === null) continue
    filling.push(await prepareDerivedJob(ctx, actor, id, NOTHING_ELSE, { id: filledBy, pinned: [pinned] }))
  }
  const table = { id: reserved?.id ?? newId(), userId, columns, rows, template: pinned.name, createdAt: ctx.clock() }
  await acceptPreparedJobs(ctx, filling, async (sql) => {
    await save(sql)
    await saveTable(sql, table)
  })
  return { table, rows: await readTableRows(ctx.db, table) }
}

const NOTHING_ELSE = { generate_infographic: false }
