import { randomUUID } from 'node:crypto'
import { type BlobStore, BlobStoreError } from '@subtext/blobs'
import { openTestBlobs, type TestBlobStore } from '@subtext/blobs/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { storeJob } from '../testing/index.ts'
import { type BlobContext, findBlob, keepBlob } from './keep.ts'
import { purgeBlobs } from './purge.ts'

const { db } = useTestDatabase({ maxConnections: 8, per: 'test' })
const NEVER = new AbortController().signal
const BYTES = Buffer.from('picture')
const HOUR_MS = 3_600_000

let store: TestBlobStore
let now: Date
beforeEach(async () => {
  store = await openTestBlobs()
  now = new Date()
})
afterEach(() => store.remove())

const context = (blobs: Partial<BlobStore> = {}): BlobContext => ({
  db,
  clock: () => now,
  blobs: { ...store.blobs, ...blobs },
})
const card = (jobId: string) => ({ jobId, name: 'card.png', contentType: 'image/png' })
const deleteJob = (jobId: string) => db.query('DELETE FROM jobs WHERE id = $1', [jobId])

function openGate(): { opened: Promise<void>; release(): void } {
  let release = (): void => {}
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  return { opened, release: () => release() }
}

const countRows = async () => (await db.query('SELECT FROM blobs')).rowCount

test('keeps a file with its job, replaces it, and finds no file of another job', async () => {
  const [one, other] = [await storeJob(db), await storeJob(db)]
  expect(await findBlob(context(), card(one.id))).toBeNull()
  expect(await keepBlob(context(), card(one.id), BYTES)).toBe(true)
  expect(await keepBlob(context(), card(one.id), Buffer.from('later'))).toBe(true)
  expect(await findBlob(context(), card(one.id))).toEqual(Buffer.from('later'))
  expect(await findBlob(context(), card(other.id))).toBeNull()
  expect(await countRows()).toBe(1)
})

test('stores nothing for a job that does not exist', async () => {
  const jobId = randomUUID()
  expect(await keepBlob(context(), card(jobId), BYTES)).toBe(false)
  expect(await findBlob(context(), card(jobId))).toBeNull()
})

test('deletes the files of a deleted job, and only those', async () => {
  const [kept, gone] = [await storeJob(db), await storeJob(db)]
  for (const { id } of [kept, gone]) {
    await keepBlob(context(), card(id), BYTES)
    await keepBlob(context(), { ...card(id), name: 'story.png' }, BYTES)
  }
  await deleteJob(gone.id)
  await purgeBlobs(context(), NEVER)
  expect(await findBlob(context(), card(gone.id))).toBeNull()
  expect(await findBlob(context(), { jobId: gone.id, name: 'story.png' })).toBeNull()
  expect(await findBlob(context(), card(kept.id))).toEqual(BYTES)
  expect(await countRows()).toBe(2)
})

test('deletes a file whose job is deleted while it is stored', async () => {
  const { id } = await storeJob(db)
  const slow = context({
    async put(...file) {
      await deleteJob(id)
      // The file is not there yet, so this round must leave its row alone.
      await purgeBlobs(context(), NEVER)
      await store.blobs.put(...file)
    },
  })
  await keepBlob(slow, card(id), BYTES)
  expect(await findBlob(context(), card(id))).toEqual(BYTES)
  await purgeBlobs(context(), NEVER)
  expect(await findBlob(context(), card(id))).toBeNull()
  expect(await countRows()).toBe(0)
})

test('deletes a file that two processes store at once, whichever is the last', async () => {
  const { id } = await storeJob(db)
  const [registered, stored] = [openGate(), openGate()]
  const second = context({
    async put(...file) {
      registered.release()
      await stored.opened
      await deleteJob(id)
      // The second file is not there yet, so this round must leave its row alone.
      await purgeBlobs(context(), NEVER)
      await store.blobs.put(...file)
    },
  })
  let storing: Promise<boolean> | undefined
  const first = context({
    async put(...file) {
      now = new Date(now.getTime() + 1)
      storing = keepBlob(second, card(id), BYTES)
      await registered.opened
      await store.blobs.put(...file)
    },
  })
  await keepBlob(first, card(id), BYTES)
  stored.release()
  await storing
  await purgeBlobs(context(), NEVER)
  expect(await findBlob(context(), card(id))).toBeNull()
  expect(await countRows()).toBe(0)
})

test('deletes the leftovers of a process that died while it stored a file', async () => {
  const { id } = await storeJob(db)
  const dying = context({
    async put(...file) {
      await store.blobs.put(...file)
      throw new BlobStoreError('put', 'killed')
    },
  })
  await expect(keepBlob(dying, card(id), BYTES)).rejects.toThrow(BlobStoreError)
  await deleteJob(id)
  await purgeBlobs(context(), NEVER)
  expect(await countRows()).toBe(1)
  now = new Date(now.getTime() + 2 * HOUR_MS)
  await purgeBlobs(context(), NEVER)
  expect(await findBlob(context(), card(id))).toBeNull()
  expect(await countRows()).toBe(0)
})

test('continues after the store was unavailable', async () => {
  const jobs = [await storeJob(db), await storeJob(db)]
  for (const { id } of jobs) await keepBlob(context(), card(id), BYTES)
  for (const { id } of jobs) await deleteJob(id)
  const broken = context({ delete: () => Promise.reject(new BlobStoreError('delete', 'no answer')) })
  await expect(purgeBlobs(broken, NEVER)).rejects.toThrow(BlobStoreError)
  expect(await countRows()).toBe(2)
  // Until the lease expires, another process leaves the work to the one that had it.
  await purgeBlobs(context(), NEVER)
  expect(await countRows()).toBe(2)
  await db.query('DELETE FROM leases')
  await purgeBlobs(context(), NEVER)
  expect(await countRows()).toBe(0)
})

test('stops between two files', async () => {
  const jobs = [await storeJob(db), await storeJob(db)]
  for (const { id } of jobs) await keepBlob(context(), card(id), BYTES)
  for (const { id } of jobs) await deleteJob(id)
  const stopping = new AbortController()
  const ctx = context({
    async delete(key) {
      stopping.abort()
      await store.blobs.delete(key)
    },
  })
  await purgeBlobs(ctx, stopping.signal)
  expect(await countRows()).toBe(1)
})
