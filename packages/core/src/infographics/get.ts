import { randomBytes } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { getCompletedJob } from '../jobs/get.ts'
import { findInfographic, findShownInfographic, isJobSuspended, type ShownInfographic } from './infographics-sql.ts'
import { isValidLink, type LinkParameters } from './link.ts'

const NONE = 'This job has no infographic. It was not requested, or could not be made: see the warnings of the job.'

/** A dummy key for links to jobs that do not exist, so that checking them takes the same time. */
const NO_KEY = randomBytes(32)

/** Returns the infographic of a job of the actor. Throws the errors of `getCompletedJob`, and `NOT_FOUND` if it has none. */
export async function getInfographic(ctx: Pick<Context, 'db'>, actor: Actor, jobId: string): Promise<ShownInfographic> {
  const job = await getCompletedJob(ctx, actor, jobId)
  return (await findShownInfographic(ctx.db, job.id)) ?? refuse()
}

/**
 * Returns the infographic that a signed link leads to, or null if the link is not valid, whatever the reason, or if the account is
 * suspended. Throws `NOT_FOUND`
 * if it no longer exists.
 */
export async function findLinkedInfographic(
  ctx: Pick<Context, 'db' | 'clock'>,
  jobId: string,
  parameters: LinkParameters,
): Promise<ShownInfographic | null> {
  const found = isUuid(jobId) ? await findInfographic(ctx.db, jobId) : null
  const isValid = isValidLink({ jobId, linkKey: found?.linkKey ?? NO_KEY }, parameters, ctx.clock())
  if (!found || !isValid || (await isJobSuspended(ctx.db, jobId))) return null
  return (await findShownInfographic(ctx.db, jobId)) ?? refuse()
}

function refuse(): never {
  throw new ServiceError('NOT_FOUND', { message: NONE })
}
