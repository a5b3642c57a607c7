import type { Db } from '@subtext/db'
import { listRepeatedlyLost } from './lease-log.ts'
import type { Submission } from './submission.ts'

interface JobRow {
  id: string
  reference: string | null
  batch_id: string | null
  batch_index: number | null
  status: string
  code: string | null
  deaths: number
}

/** A submission with what the database contains of it. */
interface Found {
  submission: Submission
  /** Number of jobs or batches with its reference. */
  stored: number
  jobs: JobRow[]
}

/** Number of lost leases, which mostly are crashes of workers, after which any job is given up. */
const MAX_WORKER_CRASHES = 5

/** Compares the responses that clients got with the database. */
export async function checkSubmissions(db: Db, submissions: readonly Submission[]): Promise<Record<string, unknown[]>> {
  const repeatedlyLost = await listRepeatedlyLost(db, MAX_WORKER_CRASHES)
  const jobs = await db.query<JobRow>(
    `SELECT id, client_reference AS reference, batch_id, batch_index, status::text, error->>'code' AS code, deaths FROM jobs
     WHERE user_id NOT IN (SELECT user_id FROM subscriptions)`,
  )
  const batches = await db.query<{ id: string; reference: string }>('SELECT id, webhook_url AS reference FROM batches')
  const found = submissions.map((submission): Found => {
    if (submission.path === '/videos/process') {
      const own = jobs.rows.filter(({ reference }) => reference === submission.reference)
      return { submission, stored: own.length, jobs: own }
    }
    const own = batches.rows.filter(({ reference }) => reference === submission.reference)
    const children = jobs.rows.filter((job) => own.some(({ id }) => id === job.batch_id))
    return {
      submission,
      stored: own.length,
      jobs: children.sort((a, b) => (a.batch_index ?? 0) - (b.batch_index ?? 0)),
    }
  })
  const of = (state: Submission['state']): Found[] => found.filter(({ submission }) => submission.state === state)
  const known = new Set(found.flatMap((entry) => entry.jobs.map(({ id }) => id)))
  return {
    'an accepted submission was not stored exactly once': of('accepted')
      .filter(({ stored }) => stored !== 1)
      .map(describe),
    'a response names jobs other than those stored': of('accepted')
      .filter(({ submission, jobs: own }) => String(submission.jobIds) !== String(own.map(({ id }) => id)))
      .map(describe),
    'a refused submission was stored': of('refused')
      .filter(({ stored }) => stored !== 0)
      .map(describe),
    'a submission sent once was stored twice': of('unanswered')
      .filter(({ stored }) => stored > 1)
      .map(describe),
    'a submission with a key never got a response': of('open').map(describe),
    'a job was stored that nobody submitted': jobs.rows.filter(({ id }) => !known.has(id)),
    'a job ended in the wrong state for its video': found.flatMap(({ submission, jobs: own }) =>
      own.filter((job, index) => !endedAsExpected(job, submission, index) && !isGivenUp(job, repeatedlyLost)),
    ),
  }
}

const describe = ({ submission, stored, jobs }: Found) => ({
  reference: submission.reference,
  state: submission.state,
  attempts: submission.attempts,
  stored,
  answered: submission.jobIds,
  jobs: jobs.map(({ id }) => id),
})

/** Failures caused by the platform, as opposed to the service. */
const PLATFORM_ERRORS = new Set(['VIDEO_UNAVAILABLE', 'TRANSCRIPT_UNAVAILABLE'])

const isGivenUp = ({ id, code, deaths }: JobRow, repeatedlyLost: ReadonlySet<string>): boolean =>
  code === 'INTERNAL_ERROR' && deaths >= MAX_WORKER_CRASHES && repeatedlyLost.has(id)

function endedAsExpected({ status, code }: JobRow, { available, cancel }: Submission, index: number): boolean {
  if (cancel && code === 'JOB_CANCELLED') return true
  return available[index] ? status === 'completed' : status === 'failed' && PLATFORM_ERRORS.has(code ?? '')
}
