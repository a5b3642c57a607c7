import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, findApiKeys, openDb } from '@subtext/db'
import { createTestDatabase, type TestDatabase } from '@subtext/testing'
import { createApiKey, hashApiKey } from './create.ts'
import { createKeyUseRecorder } from './record-use.ts'

let database: TestDatabase
let db: Db
let now = new Date('2026-11-21T12:00:00.000Z')
let warnings = 0
const log = { info() {}, warn: () => void warnings++, error() {} }

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDb({ url: database.url, maxConnections: 4 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

let users = 0
async function newKeyId(): Promise<string> {
  const key = await createApiKey({ db }, { email: `user${users++}@example.org`, plan: 'plus', scopes: ['read'] })
  const [found] = await findApiKeys(db, { hash: hashApiKey(key) })
  if (!found) throw new Error('No such key.')
  return found.id
}
const lastUse = async (id: string): Promise<Date | null | undefined> => (await findApiKeys(db, { id }))[0]?.lastUsedAt

/** A recorder and the statements it has sent. */
function create(query: Db['query'] = db.query) {
  let statements = 0
  const counting: Db = {
    ...db,
    query: (text, values) => {
      statements++
      return query(text, values)
    },
  }
  return { recorder: createKeyUseRecorder({ db: counting, clock: () => now, log }), statements: () => statements }
}

test('a use is written within moments, those of many keys together, and a key once a minute', async () => {
  const { recorder, statements } = create()
  const ids = await Promise.all(Array.from({ length: 20 }, newKeyId))
  for (let round = 0; round < 50; round++) for (const id of ids) recorder.note(id)
  expect(statements()).toBe(0)
  const deadline = performance.now() + 10_000
  while (statements() === 0 && performance.now() < deadline) await sleep(50)
  for (const id of ids) recorder.note(id)
  await recorder.close()
  expect(statements()).toBe(1)
  expect(await Promise.all(ids.map(lastUse))).toEqual(ids.map(() => now))
})

test('closing writes what is waiting, and nothing when nothing is', async () => {
  const { recorder, statements } = create()
  await recorder.close()
  expect(statements()).toBe(0)
  const id = await newKeyId()
  recorder.note(id)
  await recorder.close()
  expect(await lastUse(id)).toEqual(now)
})

test('of two processes the later use stands', async () => {
  const id = await newKeyId()
  const [early, late] = [create(), create()]
  early.recorder.note(id)
  now = new Date(now.getTime() + 5_000)
  late.recorder.note(id)
  await late.recorder.close()
  await early.recorder.close()
  expect(await lastUse(id)).toEqual(now)
})

test('a store that is away loses one use, not the next', async () => {
  const id = await newKeyId()
  let away = true
  const { recorder } = create((text, values) => (away ? Promise.reject(new Error('away')) : db.query(text, values)))
  recorder.note(id)
  await recorder.close()
  expect(warnings).toBe(1)
  expect(await lastUse(id)).toBeNull()
  away = false
  recorder.note(id)
  await recorder.close()
  expect(await lastUse(id)).toEqual(now)
})
