import { waitUntil } from '@subtext/embedded/testing'
import type { RecordedCall } from '@subtext/fakes'
import { Subtext } from '@subtext/sdk'
import { findViolations, useClient } from '@subtext/testbed'
import { useModelSystem } from './use-model-system.ts'

const system = useModelSystem()
const client = useClient(system, { scopes: ['admin'] })
const connect = (): Subtext => new Subtext({ apiKey: client.key, baseUrl: system.baseUrl })

const SUBJECTS = ['harbor', 'lighthouse', 'glacier', 'orchard', 'violin']
const captionsOf = (nth: number): string => {
  const subject = SUBJECTS[nth % SUBJECTS.length]
  return ['0:00', '0:10', '0:20']
    .map((time, line) => `${time}\nVideo ${nth} says that the ${subject} has ${nth + line + 2} doors and a garden.`)
    .join('\n')
}

/** Processes videos in a batch that has ended. */
async function processBatch(videos: number, kind: string) {
  const { batches } = connect()
  const { batch_id } = await batches.submit({
    videos: Array.from({ length: videos }, (_, nth) => ({
      import: { captions: captionsOf(nth), title: `${kind} ${nth}`, language: 'en' },
      options: { summary_modes: ['tldr' as const] },
    })),
  })
  const batch = await batches.waitFor(batch_id, { timeoutMs: 200_000 })
  expect(batch.status).toBe('completed')
  return batch
}

const isOfDigest = ({ body }: RecordedCall): boolean => JSON.stringify(body.system ?? '').includes('Digest ')
const callsSince = (start: number): number => system.messagesApi.calls.slice(start).filter(isOfDigest).length

// The goal is 100 videos in 60 s, with at most three calls.
test('a digest of twenty videos names each of them, and takes one call of a model that needs two seconds', async () => {
  const { batch_id } = await processBatch(20, 'Report')
  const { digests } = connect()
  const start = system.messagesApi.calls.length
  system.messagesApi.failNext({ kind: 'slow', delayMs: 2_000 }, { times: 3 })
  const began = performance.now()
  const { digest_id } = await digests.create(batch_id)
  const digest = await digests.wait(digest_id, { timeoutMs: 60_000 })
  system.messagesApi.forgetFaults()
  expect(performance.now() - began).toBeLessThan(60_000)
  expect([digest.status, callsSince(start)]).toEqual(['completed', 1])
  const titles = digest.videos.map(({ video_title }) => video_title)
  expect(titles).toEqual(Array.from({ length: 20 }, (_, nth) => `Report ${nth}`))
  expect(digest.themes.length).toBeGreaterThan(0)
})

test('a digest whose worker is killed before its end is made by another one, which does not ask the model again', async () => {
  const { batch_id } = await processBatch(2, 'Notice')
  const { digests } = connect()
  const start = system.messagesApi.calls.length
  // The worker waits for the jobs before it writes the digest, when it has paid for the answer of the model.
  const held = system.rows('SELECT pg_sleep(600) FROM (SELECT FROM jobs WHERE batch_id = $1 FOR UPDATE) jobs', [
    batch_id,
  ])
  const ended = held.catch((error: unknown) => error)
  const { digest_id } = await digests.create(batch_id)
  await waitUntil('the answer of the model is kept', async () => {
    const rows = await system.rows('SELECT FROM digests WHERE id = $1 AND groups IS NOT NULL', [digest_id])
    return rows.length === 1
  })
  const worker = system.workers.at(-1)
  worker?.kill('SIGKILL')
  await worker?.exited
  await system.rows(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)%'`)
  await ended
  expect((await digests.get(digest_id)).status).toBe('processing')
  await system.rows('UPDATE digests SET due_at = now() WHERE id = $1', [digest_id])
  await system.expireLeases()
  system.startWorker()
  const digest = await digests.wait(digest_id, { timeoutMs: 60_000 })
  expect([digest.status, callsSince(start)]).toEqual(['completed', 1])
  expect(digest.warnings).toBeUndefined()
  const paid = await system.rows("SELECT FROM usage_entries WHERE subject_kind = 'digest' AND subject_id = $1", [
    digest_id,
  ])
  expect(paid).toHaveLength(1)
})

test('digests leave every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})
