import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { createApiKey, hashApiKey } from './create.ts'
import { createKeyUseRecorder } from './record-use.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let now = new Date('2026-11-21T12:00:00.000Z')
let warnings = 0
const log = { info() {}, warn: () => void warnings++, error() {} }

let users = 0
async function newKeyId(): Promise<string> {
  const key = await createApiKey({ db }, { email: `user${users++}@example.org`, plan: 'plus', scopes: ['read'] })
  return (await db.prisma.apiKey.findUniqueOrThrow({ where: { hash: hashApiKey(key) } })).id
}
const lastUse = async (id: string): Promise<Date | null> =>
  (await db.prisma.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt

/** Creates a recorder and counts the statements it sends. */
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

test('writes uses within moments, those of many keys together, and each key at most once a minute', async () => {
  const { recorder, statements } = create()
  const ids = await Promise.all(Array.from({ length: 20 }, newKeyId))
  for (let round = 0; round < 50; round++) for (const id of ids) recorder.record(id)
  expect(statements()).toBe(0)
  await waitUntil('the uses are written', () => statements() > 0)
  for (const id of ids) recorder.record(id)
  await recorder.close()
  expect(statements()).toBe(1)
  expect(await Promise.all(ids.map(lastUse))).toEqual(ids.map(() => now))
})

test('remembers 50,000 keys, and writes again only the one whose use is the longest ago', async () => {
  const written: string[] = []
  const { recorder } = create(async (_text, values) => {
    const [ids] = values as [string[]]
    written.push(...ids)
    return { rows: [], rowCount: 0 }
  })
  recorder.record('oldest')
  for (let n = 0; n < 50_000; n++) recorder.record(`key ${n}`)
  await recorder.close()
  expect(written).toHaveLength(50_001)
  for (const id of ['key 0', 'key 49999', 'oldest', 'oldest']) recorder.record(id)
  await recorder.close()
  expect(written.slice(50_001)).toEqual(['oldest'])
})

test('close writes what has not been written yet, and nothing otherwise', async () => {
  const { recorder, statements } = create()
  await recorder.close()
  expect(statements()).toBe(0)
  const id = await newKeyId()
  recorder.record(id)
  await recorder.close()
  expect(await lastUse(id)).toEqual(now)
})

test('close waits for a write in progress', async () => {
  const id = await newKeyId()
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { recorder, statements } = create(async (text, values) => {
    await held
    return db.query(text, values)
  })
  recorder.record(id)
  await waitUntil('the write has begun', () => statements() > 0)
  const closing = recorder.close()
  expect(await Promise.race([closing, sleep(100, 'waits')])).toBe('waits')
  release()
  await closing
  expect(await lastUse(id)).toEqual(now)
})

test('keeps the later use if two processes record one', async () => {
  const id = await newKeyId()
  const [early, late] = [create(), create()]
  early.recorder.record(id)
  now = new Date(now.getTime() + 5_000)
  late.recorder.record(id)
  await late.recorder.close()
  await early.recorder.close()
  expect(await lastUse(id)).toEqual(now)
})

test('locks keys in a fixed order, so that two processes cannot deadlock', async () => {
  const [first, last] = (await Promise.all([newKeyId(), newKeyId()])).sort()
  if (!first || !last) throw new Error('Two keys were expected.')
  // With only a few keys, the database would find them in the order of the table.
  await db.query(
    `INSERT INTO api_keys (id, user_id, hash, prefix, last_four)
     SELECT gen_random_uuid(), user_id, int4send(n), '', '' FROM api_keys, generate_series(1, 5000) n WHERE id = $1`,
    [first],
  )
  await db.query('ANALYZE api_keys')
  const { recorder } = create()
  recorder.record(last)
  recorder.record(first)
  let writing: Promise<void> | undefined
  await db.transaction(async (sql) => {
    await sql.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [last])
    writing = recorder.close()
    expect(await Promise.race([writing, sleep(300, 'waits')])).toBe('waits')
    const free = await db.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE SKIP LOCKED', [first])
    expect(free.rowCount).toBe(0)
  })
  await writing
  expect(await Promise.all([first, last].map(lastUse))).toEqual([now, now])
})

test('an unavailable database loses one use, but not the next', async () => {
  const id = await newKeyId()
  let isDown = true
  const { recorder } = create((text, values) =>
    isDown ? Promise.reject(new Error('unavailable')) : db.query(text, values),
  )
  recorder.record(id)
  await recorder.close()
  expect(warnings).toBe(1)
  expect(await lastUse(id)).toBeNull()
  isDown = false
  recorder.record(id)
  await recorder.close()
  expect(await lastUse(id)).toEqual(now)
})
