import {
  BUILT_IN_NAMES,
  type CreateTemplate,
  type FormSchema,
  isBuiltIn,
  MAX_TEMPLATES,
  parseTemplateReference,
  type ReplaceTemplate,
  ServiceError,
  validationError,
} from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Actor, PrismaContext } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertTemplatesIncluded } from '../plans/gates.ts'
import { insertTemplate, insertVersion, listNames, lockOwner, lockTemplate } from './templates-sql.ts'

type TemplateContext = Pick<PrismaContext, 'db' | 'clock'>

/** A version of a template of an account. */
export interface OwnTemplate {
  id: string
  name: string
  version: number
  /** The latest version. */
  versions: number
  description: string | null
  instructions: string | null
  schema: FormSchema
  createdAt: Date
}

interface TemplateRow {
  id: string
  name: string
  versions: {
    version: number
    description: string | null
    instructions: string | null
    schema: unknown
    createdAt: Date
  }[]
}

/** Builds a template from its row with one of its versions. */
function toTemplate({ id, name, versions: [found] }: TemplateRow, latest: number): OwnTemplate {
  if (!found) throw new ServiceError('NOT_FOUND')
  return { id, name, ...found, versions: latest, schema: found.schema as FormSchema }
}

const VERSION = { version: true, description: true, instructions: true, schema: true, createdAt: true } as const
const latestVersion = { select: VERSION, orderBy: { version: 'desc' as const }, take: 1 }

/** Lists the templates of the account by name, each in its latest version. Error: `PLAN_UPGRADE_REQUIRED`. */
export async function listTemplates({ db }: TemplateContext, actor: Actor): Promise<OwnTemplate[]> {
  assertTemplatesIncluded(actor)
  const rows = await db.prisma.template.findMany({
    where: { userId: actor.userId, deletedAt: null },
    select: { id: true, name: true, versions: latestVersion },
    orderBy: { name: 'asc' },
  })
  return rows.map((row) => toTemplate(row, row.versions[0]?.version ?? 0))
}

/** Returns a template by `name` or `name@version`. Errors: `PLAN_UPGRADE_REQUIRED`, `NOT_FOUND`. */
export async function getTemplate({ db }: TemplateContext, actor: Actor, reference: string): Promise<OwnTemplate> {
  assertTemplatesIncluded(actor)
  const address = parseTemplateReference(reference)
  if (!address) throw new ServiceError('NOT_FOUND')
  const found = await db.prisma.template.findFirst({
    where: { userId: actor.userId, name: address.name, deletedAt: null },
    select: { id: true, name: true, versions: latestVersion },
  })
  const latest = found?.versions[0]
  if (!found || !latest) throw new ServiceError('NOT_FOUND')
  if (address.version === null || address.version === latest.version) return toTemplate(found, latest.version)
  const versions = await db.prisma.templateVersion.findMany({
    where: { templateId: found.id, version: address.version },
    select: VERSION,
  })
  return toTemplate({ ...found, versions }, latest.version)
}

const taken = (name: string): ServiceError =>
  validationError([
    {
      path: 'name',
      message: `The account has a template \`${name}\`. To make its next version, use \`PUT /templates/${name}\`.`,
      code: 'name_taken',
    },
  ])

function refuseReserved(name: string): void {
  if (!isBuiltIn(name)) return
  const message = `Must be another name: ${BUILT_IN_NAMES.map((each) => `\`${each}\``).join(', ')} are built in.`
  throw validationError([{ path: 'name', message, code: 'reserved_name' }])
}

/**
 * Creates a template. Errors: `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` for a name that is reserved or taken,
 * `TEMPLATE_LIMIT_REACHED`. With `reserved`, any number of calls create one template.
 */
export async function createTemplate(
  ctx: TemplateContext,
  actor: Actor,
  { name, ...parts }: CreateTemplate,
  reserved?: ReservedResource,
): Promise<OwnTemplate> {
  assertTemplatesIncluded(actor)
  refuseReserved(name)
  const { userId } = actor
  const id = reserved?.id ?? newId()
  const { prisma } = ctx.db
  if (reserved?.mayExist && (await prisma.template.findFirst({ where: { id, userId } }))) {
    return getTemplate(ctx, actor, `${name}@1`)
  }
  const now = ctx.clock()
  // Templates of one account are counted and created one after the other.
  return ctx.db.transaction(async (sql) => {
    if (!(await lockOwner(sql, userId))) throw new ServiceError('NOT_FOUND')
    const known = await listNames(sql, userId)
    if (known.includes(name)) throw taken(name)
    if (known.length >= MAX_TEMPLATES) throw new ServiceError('TEMPLATE_LIMIT_REACHED')
    await insertTemplate(sql, { id, userId, name, createdAt: now })
    return addVersion(sql, { id, name, version: 1, createdAt: now }, parts)
  })
}

type Parts = Partial<Record<'description' | 'instructions', string | null>> & { schema: FormSchema }

/** Adds a version to a template, which the caller has locked or just created. */
async function addVersion(
  sql: Sql,
  { id, name, version, createdAt }: Pick<OwnTemplate, 'id' | 'name' | 'version' | 'createdAt'>,
  { description = null, instructions = null, schema }: Parts,
): Promise<OwnTemplate> {
  await insertVersion(sql, id, { version, description, instructions, schema, createdAt })
  return { id, name, version, versions: version, description, instructions, schema, createdAt }
}

/** Makes the next version of a template. Errors: `PLAN_UPGRADE_REQUIRED`, `NOT_FOUND`. */
export async function replaceTemplate(
  ctx: TemplateContext,
  actor: Actor,
  name: string,
  parts: ReplaceTemplate,
): Promise<OwnTemplate> {
  assertTemplatesIncluded(actor)
  const createdAt = ctx.clock()
  return ctx.db.transaction(async (sql) => {
    const found = await lockTemplate(sql, actor.userId, name)
    if (!found) throw new ServiceError('NOT_FOUND')
    return addVersion(sql, { id: found.id, name, version: found.version + 1, createdAt }, parts)
  })
}

/** Deletes all versions of a template, as seen by its owner. Error: `NOT_FOUND`. */
export async function deleteTemplate({ db, clock }: TemplateContext, { userId }: Actor, name: string): Promise<void> {
  const { count } = await db.prisma.template.updateMany({
    where: { userId, name, deletedAt: null },
    data: { deletedAt: clock() },
  })
  if (count === 0) throw new ServiceError('NOT_FOUND')
}
