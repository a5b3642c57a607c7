import type { Db } from '@subtext/db'
import type { WebhookReceiver } from '@subtext/fakes'

/** The outcome of the jobs. */
export interface RolloutOutcome {
  accepted: number
  completed: number
  /** Seconds from the acceptance of a job to its end. */
  seconds: { median: number; longest: number }
  webhooks: { received: number; repeated: number }
  /** Broken promises, by what is wrong. */
  violations: Record<string, unknown[]>
}

interface JobRow {
  id: string
  status: string
  seconds: number | null
  error: unknown
}

/** Compares the responses that clients got with the database and the received webhooks. */
export async function readOutcome(db: Db, receiver: WebhookReceiver, jobIds: string[]): Promise<RolloutOutcome> {
  const { rows } = await db.query<JobRow>(
    `SELECT id, status::text, error, extract(epoch FROM completed_at - created_at)::float8 AS seconds FROM jobs`,
  )
  const told = new Set(jobIds)
  const stored = new Map(rows.map((job) => [job.id, job]))
  const received = receiver.received.map(({ body }) => JSON.parse(body.toString()) as WebhookBody)
  const announced = new Set(received.map(({ data }) => data.job_id))
  const seconds = rows.map((job) => job.seconds ?? 0).sort((one, other) => one - other)
  const violations = {
    'two submissions got the same job': jobIds.length - told.size > 0 ? [jobIds.length - told.size] : [],
    'an accepted job is not stored': jobIds.filter((id) => !stored.has(id)),
    'a job was stored that no response named': rows.filter(({ id }) => !told.has(id)).map(({ id }) => id),
    'a job has not completed': rows.filter(({ status }) => status !== 'completed'),
    'a job has no webhook': rows.filter(({ id }) => !announced.has(id)).map(({ id }) => id),
  }
  return {
    accepted: jobIds.length,
    completed: rows.filter(({ status }) => status === 'completed').length,
    seconds: { median: seconds[Math.floor(seconds.length / 2)] ?? 0, longest: seconds.at(-1) ?? 0 },
    webhooks: { received: received.length, repeated: received.length - announced.size },
    violations: Object.fromEntries(Object.entries(violations).filter(([, found]) => found.length > 0)),
  }
}

interface WebhookBody {
  data: { job_id: string }
}
