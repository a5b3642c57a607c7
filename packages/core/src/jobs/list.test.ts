import { JOB_STATUSES, type JobStatus, MAX_OFFSET } from '@subtext/contracts'
import type { Db } from '@subtext/db'
import { anyCharacter } from '@subtext/runtime/testing'
import fc from 'fast-check'
import type { Actor } from '../context.ts'
import { cursorsOf, type JobListQuery, listJobs } from './list.ts'

const actor: Actor = { userId: '01900000-0000-7000-8000-00000000000a', apiKeyId: '', plan: 'pro', scopes: ['read'] }

/** Returns what the store is asked for. It contains no jobs. */
async function queryStore(query: Partial<JobListQuery>): Promise<{ values: unknown[]; offset: number }> {
  let values: unknown[] = []
  const db = {
    query: async (_: string, given: unknown[]) => {
      if (given.length > 1) values = given
      return { rows: [], rowCount: 0 }
    },
  } as Pick<Db, 'query'> as Db
  const { offset } = await listJobs({ db }, actor, { limit: 20, ...query })
  return { values, offset }
}

const encodeCursor = (place: { jobId: string; passed: number }, userId: string, status: JobStatus | null): string =>
  cursorsOf(userId, status).encode({ id: place.jobId, passed: place.passed })

const refusal = { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'query.cursor' }] } }
const status = fc.constantFrom(null, ...JOB_STATUSES)
const places = fc.record({ jobId: fc.uuid(), passed: fc.nat(MAX_OFFSET) })

test('a cursor leads back to its position, for its own status only', async () => {
  await fc.assert(
    fc.asyncProperty(places, status, status, async (place, own, other) => {
      const cursor = encodeCursor(place, actor.userId, own)
      expect(cursor).toMatch(/^[\w-]{40}$/)
      const { values, offset } = await queryStore({ cursor, status: own ?? undefined })
      expect(values.slice(1)).toEqual([place.jobId.replaceAll('-', '')])
      expect(offset).toBe(place.passed)
      if (other !== own) await expect(queryStore({ cursor, status: other ?? undefined })).rejects.toMatchObject(refusal)
    }),
  )
})

test('refuses a cursor in which any character was changed', async () => {
  await fc.assert(
    fc.asyncProperty(places, fc.nat(39), fc.stringMatching(/^[\w-]$/), async (place, at, letter) => {
      const cursor = encodeCursor(place, actor.userId, null)
      fc.pre(cursor[at] !== letter)
      await expect(queryStore({ cursor: cursor.slice(0, at) + letter + cursor.slice(at + 1) })).rejects.toMatchObject(
        refusal,
      )
    }),
  )
})

test('refuses any other text, a cursor of another account, and a cursor together with an offset', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: anyCharacter }), fc.base64String()), async (cursor) => {
      await expect(queryStore({ cursor })).rejects.toMatchObject(refusal)
    }),
  )
  const place = { jobId: '01900000-0000-7000-8000-00000000000b', passed: 20 }
  const foreign = encodeCursor(place, '01900000-0000-7000-8000-00000000000c', null)
  await expect(queryStore({ cursor: foreign })).rejects.toMatchObject(refusal)
  const own = encodeCursor(place, actor.userId, null)
  await expect(queryStore({ cursor: `${own}=` })).rejects.toMatchObject(refusal)
  await expect(queryStore({ cursor: own, offset: 0 })).rejects.toMatchObject(refusal)
})
