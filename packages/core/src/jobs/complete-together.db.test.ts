import { type Db, type JoinedCompletion, lockOwnJob } from '@subtext/db'
import { storeJob, useTestDatabase } from '@subtext/db/testing'
import { newStoredResult } from '../testing/stored-result.ts'
import { claimJobById } from './claim.ts'
import { completeTogether } from './complete-together.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

/** Returns the store, and which jobs each of its statements completes. */
function watchEnds(): { watched: Db; ends: string[][] } {
  const ends: string[][] = []
  const query: Db['query'] = (text, values = []) => {
    const [first] = values
    if (text.includes('INSERT INTO results')) ends.push(Array.isArray(first) ? first : [String(first)])
    return db.query(text, values)
  }
  return { watched: { ...db, query }, ends }
}

async function claim(): Promise<JoinedCompletion> {
  const { id } = await storeJob(db, { webhookUrl: null })
  const claimed = await claimJobById({ db }, id, 60)
  if (!claimed) throw new Error('A new job could not be claimed.')
  return { lease: claimed.lease, result: newStoredResult(id), warnings: [] }
}
const claimSome = (count: number) => Promise.all(Array.from({ length: count }, claim))
const idOf = ({ lease }: JoinedCompletion) => lease.jobId

test('jobs that complete at the same time end in one statement, and each of them once', async () => {
  const { watched, ends } = watchEnds()
  const all = await claimSome(3)
  const outcomes = await Promise.all([...all, ...all].map((each) => completeTogether(watched, each)))
  expect(outcomes.filter((outcome) => outcome !== null)).toEqual([1, 2, 3].map(() => ({ woken: null })))
  expect(ends[0]).toEqual([...all, ...all].map(idOf))
  const [last] = await claimSome(1)
  if (last) await completeTogether(watched, last)
  expect(ends.at(-1)).toEqual([last && idOf(last)])
})

test('a job that is refused does not affect the others', async () => {
  const { watched } = watchEnds()
  const [bad, ...good] = await claimSome(3)
  const broken = bad && { ...bad, result: { ...bad.result, cueCount: 1e12 } }
  const outcomes = await Promise.allSettled([broken, ...good].map((each) => each && completeTogether(watched, each)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(await db.prisma.result.count({ where: { jobId: { in: good.map(idOf) } } })).toBe(2)
})

test('a job that its owner is cancelling does not hold up the others', async () => {
  const { watched } = watchEnds()
  const [cancelled, ...others] = await claimSome(3)
  if (!cancelled) throw new Error('No job was claimed.')
  const { userId } = await db.prisma.job.findUniqueOrThrow({ where: { id: idOf(cancelled) } })
  let ending: Promise<unknown> | undefined
  await db.transaction(async (sql) => {
    await lockOwnJob(sql, userId, idOf(cancelled))
    ending = completeTogether(watched, cancelled)
    const ends = others.map((each) => completeTogether(watched, each))
    await expect(Promise.race([...ends, ending])).resolves.toEqual({ woken: null })
    await sql.query('UPDATE jobs SET lease_token = NULL WHERE id = $1', [idOf(cancelled)])
  })
  expect(await ending).toBeNull()
})
