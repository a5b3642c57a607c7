import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cue, RESULT_FORMATS } from '@subtext/contracts'
import { createApp } from '../app.ts'
import { listen, type RunningServer } from '../server.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

const CUE_COUNT = 100_000
const CUE_TEXT = 'x'.repeat(99)
const TRANSCRIPT_BYTES = CUE_COUNT * (CUE_TEXT.length + 1)
/** As many as the store writes for this transcript. */
const PARTS = CUE_COUNT / 1_000

let api: TestApi
let server: RunningServer
let key: string
let jobId: string
/** Its text can hardly be compressed: what is sent is as long as without. */
let noiseId: string
let partsRead = 0

beforeAll(async () => {
  // Fewer connections than readers: one that held a connection while it waits would stop the others.
  api = await openTestApi({ DATABASE_POOL: '2' })
  const { db } = api.context
  const countingDb: typeof db = {
    ...db,
    query: (text, values) => {
      if (text.includes('transcript_parts')) partsRead++
      return db.query(text, values)
    },
  }
  server = await listen(createApp({ ...api.context, db: countingDb }), 0, '127.0.0.1')
  key = await api.createKey()
  jobId = await completeLongJob(() => CUE_TEXT)
  noiseId = await completeLongJob((index) => createHash('sha512').update(`${index}`).digest('base64').padEnd(99, '-'))
}, 60_000)
afterAll(async () => {
  await server.drain(0)
  await api.close()
})

async function completeLongJob(textOf: (index: number) => string): Promise<string> {
  const id = await acceptTestJob(api.context, key)
  const cues = Array.from({ length: CUE_COUNT }, (_, index): Cue => {
    return { startMs: index * 1_000, durationMs: 1_000, text: `${textOf(index)}.` }
  })
  await completeTestJob(api.context, id, { cues })
  return id
}

/** An answer whose body nobody reads yet. */
async function open(query: string, id = jobId, encoding = 'identity'): Promise<IncomingMessage> {
  const path = `/api/v1/videos/result/${id}${query}`
  const headers = { 'X-API-Key': key, 'Accept-Encoding': encoding }
  const request = httpGet({ host: '127.0.0.1', port: server.port, path, headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

async function read(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

/** Waits until no more parts are read for a while. */
async function settle(): Promise<number> {
  for (let before = -1; before !== partsRead; ) {
    before = partsRead
    await sleep(300)
  }
  return partsRead
}

const isServing = async (): Promise<boolean> => {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/videos/status/${jobId}`, {
    headers: { 'X-API-Key': key },
  })
  await response.arrayBuffer()
  return response.status === 200
}

test.each(['', ...RESULT_FORMATS.map((format) => `?format=${format}`)])(
  'a transcript of 10 MB arrives whole (%s)',
  async (query) => {
    const text = await read(await open(query))
    expect(text.split(CUE_TEXT).length - 1).toBe(CUE_COUNT)
    if (query === '' || query === '?format=json') expect(JSON.parse(text).meta.version).toBe('v1')
  },
)

const ENCODINGS = ['identity', 'gzip', 'br']

test.each(ENCODINGS)(
  'what nobody reads is not fetched, and waiting readers hold no connection (%s)',
  async (encoding) => {
    partsRead = 0
    const readers = await Promise.all(Array.from({ length: 3 }, () => open('?format=json', noiseId, encoding)))
    const fetched = await settle()
    // The kernel holds a few megabytes of each for the reader; the rest stays in the store.
    expect(fetched).toBeLessThan(readers.length * PARTS * 0.75)
    expect(await isServing()).toBe(true)

    const [first, ...others] = readers as [IncomingMessage, ...IncomingMessage[]]
    for (const reader of others) reader.destroy()
    let bytes = 0
    for await (const piece of first) bytes += (piece as Buffer).length
    expect(bytes).toBeGreaterThan(TRANSCRIPT_BYTES / 2)
  },
)

test.each(ENCODINGS)('readers that leave midway end their reading and do no harm (%s)', async (encoding) => {
  partsRead = 0
  const readers = await Promise.all(Array.from({ length: 20 }, () => open('?format=json', noiseId, encoding)))
  for (const reader of readers) {
    await once(reader, 'readable')
    reader.destroy()
  }
  const after = await settle()
  expect(after).toBeLessThan(readers.length * PARTS * 0.75)
  await sleep(500)
  expect(partsRead).toBe(after)
  expect(await isServing()).toBe(true)
  expect((await read(await open('?format=text'))).length).toBeGreaterThan(TRANSCRIPT_BYTES)
})

test('an answer that breaks off is not taken for a whole one', async () => {
  const broken = await completeLongJob(() => CUE_TEXT)
  await api.context.db.query(
    `DELETE FROM transcript_parts WHERE part_no = $2
       AND transcript_id = (SELECT transcript_id FROM results WHERE job_id = $1)`,
    [broken, PARTS - 1],
  )
  for (const encoding of ENCODINGS) {
    for (const query of ['', '?format=markdown']) {
      const response = await open(query, broken, encoding)
      expect(response.statusCode).toBe(200)
      await expect(read(response)).rejects.toMatchObject({ code: 'ECONNRESET' })
    }
  }
  expect(await isServing()).toBe(true)
})
