import { at } from '@subtext/runtime'
import type { Part } from '../part.ts'
import { seedJobs, seedResults } from '../sample-results.ts'
import { compareRequests, fetchData, openRequestSetup } from './setup.ts'

const SUBMISSION = JSON.stringify({
  url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  options: { summary_modes: ['tldr', 'detailed'], language: 'en' },
  priority: 'normal',
  client_reference: 'bench',
})
/** Of each user; a page has 20. */
const LISTED_JOBS = 200
/** About an hour of speech. */
const RESULT_BYTES = 60_000
/** Request IDs and times are of the same length in every response. */
const SIZE_TOLERANCE = 0.02

interface Database {
  query(text: string): Promise<{ rows: unknown[] }>
}

async function countJobs(database: Database): Promise<number> {
  const { rows } = await database.query('SELECT count(*)::int AS jobs FROM jobs')
  return (rows as { jobs: number }[])[0]?.jobs ?? 0
}

export const measureAccept: Part = async (bench) => {
  const setup = await openRequestSetup(bench)
  const { db, baseline } = setup.testBed
  return compareRequests(setup, {
    title: 'accept a job',
    method: 'POST',
    paths: ['/api/v1/videos/process'],
    bodies: [SUBMISSION],
    status: 202,
    perSecond: 100,
    goal: 0.6,
    around(side) {
      const database: Database = side === 'ours' ? db : baseline
      let existing = 0
      return {
        async prepare() {
          // Nobody reaches the quota of 30 videos within a round.
          await database.query('UPDATE quota_usage SET used = 0 WHERE used > 0')
          await database.query('ANALYZE')
          existing = await countJobs(database)
        },
        async verify({ count }) {
          const stored = (await countJobs(database)) - existing
          if (stored !== count) throw new Error(`${stored} jobs were stored instead of ${count}.`)
        },
      }
    },
  })
}

export const measureStatus: Part = async (bench) => {
  const setup = await openRequestSetup(bench)
  const userIds = setup.users.map(({ userId }) => userId)
  const jobs = await seedJobs(setup.testBed, userIds)
  const paths = jobs.map((id) => `/api/v1/videos/status/${id}`)
  return compareRequests(setup, {
    title: 'read a status',
    method: 'GET',
    paths,
    status: 200,
    perSecond: 200,
    goal: 0.7,
  })
}

export const measureList: Part = async (bench) => {
  const setup = await openRequestSetup(bench)
  const userIds = Array.from({ length: LISTED_JOBS }, () => setup.users.map(({ userId }) => userId)).flat()
  await seedJobs(setup.testBed, userIds)
  const title = `list 20 of ${LISTED_JOBS} jobs`
  return compareRequests(setup, {
    title,
    method: 'GET',
    paths: ['/api/v1/videos/'],
    status: 200,
    perSecond: 100,
    goal: 0.9,
  })
}

export const measureResult: Part = async (bench) => {
  const setup = await openRequestSetup(bench)
  const userIds = setup.users.map(({ userId }) => userId)
  const jobs = await seedResults(setup.testBed, userIds, RESULT_BYTES)
  const paths = jobs.map((id) => `/api/v1/videos/result/${id}`)
  // `same` stores the data of our response as JSON.
  const { data, bytes } = await fetchData(setup, at(paths, 0))
  const INSERT = 'INSERT INTO documents (job_id, data) SELECT unnest($1::uuid[]), $2'
  await setup.testBed.baseline.query(INSERT, [jobs, JSON.stringify(data)])
  return compareRequests(setup, {
    title: 'read a result of an hour',
    method: 'GET',
    paths,
    status: 200,
    perSecond: 50,
    verifyLoad({ bytes: all, count }) {
      if (Math.abs(all / count / bytes - 1) > SIZE_TOLERANCE)
        throw new Error(`A result had ${all / count} bytes instead of ${bytes}.`)
    },
  })
}
