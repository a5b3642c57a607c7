import type { Db } from '@subtext/db'
import { listOftenLost } from './lease-log.ts'
import type { Submission } from './submission.ts'

interface JobRow {
  id: string
  mark: string | null
  batch_id: string | null
  batch_index: number | null
  status: string
  code: string | null
  attempts: number
}

/** What the jobs of one submission are in the store. */
interface Found {
  submission: Submission
  /** Jobs or batches that carry its mark. */
  made: number
  jobs: JobRow[]
}

/** Deaths of its worker after which a job is given up, whatever it is. */
const DEATHS = 5

/** Holds what callers were told against what there is. */
export async function checkSubmissions(db: Db, submissions: readonly Submission[]): Promise<Record<string, unknown[]>> {
  const oftenLost = await listOftenLost(db, DEATHS)
  const jobs = await db.query<JobRow>(
    `SELECT id, client_reference AS mark, batch_id, batch_index, status::text, error->>'code' AS code, attempts FROM jobs`,
  )
  const batches = await db.query<{ id: string; mark: string }>('SELECT id, webhook_url AS mark FROM batches')
  const found = submissions.map((submission): Found => {
    if (submission.path === '/videos/process') {
      const own = jobs.rows.filter(({ mark }) => mark === submission.mark)
      return { submission, made: own.length, jobs: own }
    }
    const own = batches.rows.filter(({ mark }) => mark === submission.mark)
    const children = jobs.rows.filter((job) => own.some(({ id }) => id === job.batch_id))
    return { submission, made: own.length, jobs: children.sort((a, b) => (a.batch_index ?? 0) - (b.batch_index ?? 0)) }
  })
  const of = (state: Submission['state']): Found[] => found.filter(({ submission }) => submission.state === state)
  const known = new Set(found.flatMap((entry) => entry.jobs.map(({ id }) => id)))
  return {
    'an accepted submission is not there exactly once': of('accepted')
      .filter(({ made }) => made !== 1)
      .map(brief),
    'an answer names other jobs than there are': of('accepted')
      .filter(({ submission, jobs: own }) => String(submission.jobIds) !== String(own.map(({ id }) => id)))
      .map(brief),
    'a refused submission is there': of('refused')
      .filter(({ made }) => made !== 0)
      .map(brief),
    'a submission sent once is there twice': of('lost')
      .filter(({ made }) => made > 1)
      .map(brief),
    'a submission with a key never got its answer': of('open').map(brief),
    'a job that nobody submitted': jobs.rows.filter(({ id }) => !known.has(id)),
    'a job ended otherwise than its video deserves': found.flatMap(({ submission, jobs: own }) =>
      own.filter((job, index) => !endedWell(job, submission, index) && !isGivenUp(job, oftenLost)),
    ),
  }
}

const brief = ({ submission, made, jobs }: Found) => ({
  ...{ mark: submission.mark, state: submission.state, tries: submission.tries, made },
  ...{ answered: submission.jobIds, jobs: jobs.map(({ id }) => id) },
})

/** Reasons a platform gives; none of our own. */
const REASONS = new Set(['VIDEO_UNAVAILABLE', 'TRANSCRIPT_UNAVAILABLE'])

const isGivenUp = ({ id, code, attempts }: JobRow, oftenLost: ReadonlySet<string>): boolean =>
  code === 'INTERNAL_ERROR' && attempts > DEATHS && oftenLost.has(id)

function endedWell({ status, code }: JobRow, { healthy, cancel }: Submission, index: number): boolean {
  if (cancel && code === 'JOB_CANCELLED') return true
  return healthy[index] ? status === 'completed' : status === 'failed' && REASONS.has(code ?? '')
}
