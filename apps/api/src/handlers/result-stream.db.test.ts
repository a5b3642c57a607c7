import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cue, RESULT_FORMATS } from '@subtext/contracts'
import { at } from '@subtext/runtime'
import { useTestApi } from '../testing/api.ts'
import { type CountingServer, serveCounting } from '../testing/count-parts-read.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

/** Cues of a transcript that spans several parts and pieces. */
const CUE_COUNT = 6_000
/** Cues of a transcript of 10 MB, more than the buffers on the way to a reader hold. */
const NOISE_COUNT = 25_000
const CUE_LENGTH = 400
const CUE_TEXT = 'x'.repeat(CUE_LENGTH - 1)
const NOISE_BYTES = NOISE_COUNT * CUE_LENGTH

// Fewer connections than readers: a reader that held a connection while it waits would block the others.
const api = useTestApi({ DATABASE_POOL: '2' })
let server: CountingServer
let key: string
let jobId: string
/** A job whose text can hardly be compressed, so that as much is sent with compression as without. */
let noiseId: string
/** The number of parts in which the transcript of `noiseId` is stored. */
let parts: number

beforeAll(async () => {
  server = await serveCounting(api)
  key = await api.createKey()
  jobId = await completeLongJob(CUE_COUNT, () => CUE_TEXT)
  noiseId = await completeLongJob(NOISE_COUNT, noise)
  const { rows } = await api.context.db.query<{ count: number }>(`SELECT count(*)::int AS count ${PARTS_OF_JOB}`, [
    noiseId,
  ])
  parts = rows[0]?.count ?? 0
})

const PARTS_OF_JOB = `FROM transcript_parts WHERE transcript_id = (SELECT transcript_id FROM results WHERE job_id = $1)`

async function completeLongJob(length: number, textOf: (index: number) => string): Promise<string> {
  const id = await acceptTestJob(api.context, key)
  const cues = Array.from({ length }, (_, index): Cue => {
    return { startMs: index * 1_000, durationMs: 1_000, text: `${textOf(index)}.` }
  })
  await completeTestJob(api.context, id, { cues })
  return id
}

/** Text of the length of a cue that hardly compresses. */
const noise = (index: number): string =>
  createHash('shake256', { outputLength: CUE_LENGTH })
    .update(`${index}`)
    .digest('base64')
    .slice(0, CUE_LENGTH - 1)

/** Sends a request and returns the response, whose body nobody reads yet. */
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

/** Waits until no part has been read for a second. Returns the number of parts that were read. */
async function settle(): Promise<number> {
  for (let before = -1; before !== server.partsRead; ) {
    before = server.partsRead
    await sleep(1_000)
  }
  return server.partsRead
}

const isServing = async (): Promise<boolean> => {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/videos/status/${jobId}`, {
    headers: { 'X-API-Key': key },
  })
  await response.arrayBuffer()
  return response.status === 200
}

test.each(['', ...RESULT_FORMATS.map((format) => `?format=${format}`)])(
  'sends a long transcript completely (%s)',
  async (query) => {
    const text = await read(await open(query))
    expect(text.split(CUE_TEXT).length - 1).toBe(CUE_COUNT)
    if (query === '' || query === '?format=json') expect(JSON.parse(text).meta.version).toBe('v1')
  },
)

const ENCODINGS = ['identity', 'gzip', 'br']

test.each(ENCODINGS)(
  'fetches no more than readers accept, and keeps no connection while they wait (%s)',
  async (encoding) => {
    server.partsRead = 0
    const readers = await Promise.all(Array.from({ length: 3 }, () => open('?format=json', noiseId, encoding)))
    const fetched = await settle()
    // The kernel buffers a few megabytes for each reader. The rest stays in the database.
    expect(fetched).toBeLessThan(readers.length * parts * 0.75)
    expect(await isServing()).toBe(true)

    for (const reader of readers.slice(1)) reader.destroy()
    let bytes = 0
    for await (const piece of at(readers, 0)) bytes += (piece as Buffer).length
    expect(bytes).toBeGreaterThan(NOISE_BYTES / 2)
  },
)

test.each(ENCODINGS)('stops fetching for readers that disconnect midway (%s)', async (encoding) => {
  server.partsRead = 0
  const readers = await Promise.all(Array.from({ length: 8 }, () => open('?format=json', noiseId, encoding)))
  for (const reader of readers) {
    await once(reader, 'readable')
    reader.destroy()
  }
  expect(await settle()).toBeLessThan(readers.length * parts * 0.75)
  expect(await isServing()).toBe(true)
  expect((await read(await open('?format=text'))).length).toBeGreaterThan(CUE_COUNT * CUE_LENGTH)
})

// The last test of the file: it damages a transcript.
test('cuts the connection when a response cannot be completed', async () => {
  await api.context.db.query(`DELETE ${PARTS_OF_JOB} AND part_no = $2`, [noiseId, Math.floor(parts / 4)])
  for (const encoding of ENCODINGS) {
    for (const query of ['', '?format=markdown']) {
      const response = await open(query, noiseId, encoding)
      expect(response.statusCode).toBe(200)
      await expect(read(response)).rejects.toMatchObject({ code: 'ECONNRESET' })
    }
  }
  expect(await isServing()).toBe(true)
})
