import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { type BlobStore, BlobStoreError } from './blob-store.ts'
import { createBlobStore } from './create-blob-store.ts'
import { parseBlobUrl } from './parse-url.ts'

const CREDENTIALS = 'S3RVER:S3RVER'
const KEY = 'jobs/0f/one/card-light.png'
const newBytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, index) => index % 256))

let directory: string
let server: S3rver
let endpoint: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subtext-blobs-'))
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(directory, 's3'),
    configureBuckets: [{ name: 'media' }],
  })
  endpoint = `http://127.0.0.1:${(await server.run()).port}`
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

const open = (url: string, outcomes: unknown[] = []): BlobStore =>
  createBlobStore(parseBlobUrl(url), { countOperation: (labels) => outcomes.push(labels) })
const openS3 = (credentials = CREDENTIALS, bucket = 'media/some/prefix') =>
  open(`s3://${credentials}@${bucket}?endpoint=${endpoint}`)
const openFiles = () => open(`file://${join(directory, 'files')}`)

describe.each([
  ['a directory', openFiles],
  ['a bucket', () => openS3()],
])('in %s', (_, openStore) => {
  test('a file is returned as it was stored, until it is deleted', async () => {
    const blobs = openStore()
    const bytes = newBytes(300_000)
    expect(await blobs.get(KEY)).toBeNull()
    expect(await blobs.exists(KEY)).toBe(false)
    await blobs.put(KEY, bytes, 'image/png')
    expect(await blobs.exists(KEY)).toBe(true)
    expect(await openStore().get(KEY)).toEqual(bytes)
    await blobs.delete(KEY)
    expect(await blobs.get(KEY)).toBeNull()
    await blobs.delete(KEY)
  })

  test('stores and returns an empty file', async () => {
    const blobs = openStore()
    await blobs.put('empty', Buffer.alloc(0), 'text/plain')
    expect(await blobs.get('empty')).toEqual(Buffer.alloc(0))
    expect(await blobs.exists('empty')).toBe(true)
    await blobs.delete('empty')
  })

  test('files that are stored while their neighbours are deleted are not lost', async () => {
    const blobs = openStore()
    const keys = Array.from({ length: 20 }, (_, index) => `jobs/aa/${index % 2}/file-${index}`)
    for (const key of keys) {
      await Promise.all([blobs.put(key, Buffer.from(key), 'text/plain'), ...keys.slice(0, 2).map(blobs.delete)])
    }
    for (const key of keys.slice(2)) {
      expect(String(await blobs.get(key))).toBe(key)
      await blobs.delete(key)
    }
  })

  test('refuses a key that leads out of the store', async () => {
    const blobs = openStore()
    await expect(blobs.put('../outside', Buffer.from('x'), 'text/plain')).rejects.toThrow(TypeError)
    await expect(blobs.get('/etc/passwd')).rejects.toThrow(TypeError)
  })
})

// A bucket promises it by itself, and the server of this test breaks the promise.
test('a file in a directory that is replaced by many writers at once is always one of theirs', async () => {
  const blobs = openFiles()
  const versions = Array.from({ length: 8 }, (_, writer) => Buffer.alloc(100_000, writer))
  const hashes = new Set(versions.map((bytes) => createHash('sha256').update(bytes).digest('hex')))
  await blobs.put(KEY, versions[0] ?? Buffer.alloc(0), 'image/png')
  const seen = await Promise.all(
    versions.map(async (bytes) => {
      await blobs.put(KEY, bytes, 'image/png')
      const found = await blobs.get(KEY)
      return found && createHash('sha256').update(found).digest('hex')
    }),
  )
  for (const hash of seen) expect(hashes).toContain(hash)
  await blobs.delete(KEY)
})

test('deleting the last file of a directory deletes the directory', async () => {
  const blobs = openFiles()
  await blobs.put('jobs/bb/two/card.png', Buffer.from('x'), 'image/png')
  await blobs.delete('jobs/bb/two/card.png')
  expect(await readdir(join(directory, 'files'))).not.toContain('jobs')
})

test('deletes partial files that a dead process left a day ago, and no younger ones', async () => {
  await openFiles().put('first', Buffer.from('x'), 'text/plain')
  const unfinished = join(directory, 'files', '.unfinished')
  const yesterday = new Date(Date.now() - 90_000_000)
  await writeFile(join(unfinished, 'old'), 'x')
  await utimes(join(unfinished, 'old'), yesterday, yesterday)
  await writeFile(join(unfinished, 'young'), 'x')
  await openFiles().put('second', Buffer.from('x'), 'text/plain')
  expect(await readdir(unfinished)).toEqual(['young'])
})

test('a directory that cannot be written is reported as an error of the store, and counted', async () => {
  await writeFile(join(directory, 'plain-file'), '')
  const outcomes: unknown[] = []
  const blobs = open(`file://${join(directory, 'plain-file')}`, outcomes)
  await expect(blobs.put(KEY, Buffer.from('x'), 'text/plain')).rejects.toThrow(BlobStoreError)
  expect(outcomes).toEqual([{ operation: 'put', outcome: 'failed' }])
})

test('wrong credentials and a missing bucket are errors, not missing files', async () => {
  for (const blobs of [openS3('S3RVER:wrong'), openS3(CREDENTIALS, 'nowhere')]) {
    await expect(blobs.get(KEY)).rejects.toThrow(BlobStoreError)
    await expect(blobs.put(KEY, Buffer.from('x'), 'text/plain')).rejects.toThrow(BlobStoreError)
  }
})

async function withServer(respond: RequestListener, use: (blobs: BlobStore) => Promise<void>): Promise<void> {
  const fake = createServer(respond)
  await once(fake.listen(0, '127.0.0.1'), 'listening')
  const { port } = fake.address() as AddressInfo
  try {
    await use(open(`s3://${CREDENTIALS}@media?endpoint=http://127.0.0.1:${port}`))
  } finally {
    fake.closeAllConnections()
    await new Promise((resolve) => fake.close(resolve))
  }
}

/** More than a file may have, as fast as it is read. */
const oversized: RequestListener = (_, response) => {
  response.writeHead(200)
  const block = Buffer.alloc(1 << 20)
  let left = 80
  const write = (): void => {
    while (left > 0 && !response.destroyed) {
      left--
      if (!response.write(block)) return
    }
    response.end()
  }
  response.on('drain', write)
  write()
}

test.each<[string, RequestListener]>([
  [
    'a signature it does not accept',
    (_, response) => response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>'),
  ],
  ['a clock that differs', (_, response) => response.writeHead(403).end('<Code>RequestTimeTooSkewed</Code>')],
  ['another region', (_, response) => response.writeHead(301).end('<Code>PermanentRedirect</Code>')],
  ['the page of a proxy', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['a part of the content', (_, response) => response.writeHead(206).end('cont')],
  ['nothing', (_, response) => response.writeHead(204).end()],
  [
    'content that breaks off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '7' }).write('cont', () => response.destroy())
    },
  ],
  ['more than a file may have', oversized],
])('a reply with %s is an error, never a file', async (_, respond) => {
  await withServer(respond, async (blobs) => {
    await expect(blobs.get(KEY)).rejects.toThrow(BlobStoreError)
  })
})

test('follows no redirect to another server, which would receive the file', async () => {
  let requests = 0
  const other = createServer((request, response) => {
    requests++
    request.resume()
    response.end()
  })
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/file`
  await withServer(
    (request, response) => {
      request.resume()
      response.writeHead(307, { location }).end()
    },
    async (blobs) => {
      await expect(blobs.put(KEY, Buffer.from('secret'), 'text/plain')).rejects.toThrow(BlobStoreError)
    },
  )
  expect(requests).toBe(0)
  other.close()
})

test('repeats a request that the server could not serve, or whose connection it closed', async () => {
  let requests = 0
  await withServer(
    (request, response) => {
      requests++
      request.resume()
      if (requests === 1) request.socket.destroy()
      else response.writeHead(requests === 2 ? 503 : 200).end('content')
    },
    async (blobs) => {
      expect(String(await blobs.get(KEY))).toBe('content')
      expect(requests).toBe(3)
    },
  )
})

test('an unreachable server is an error that names the reason', async () => {
  const blobs = open(`s3://${CREDENTIALS}@media?endpoint=http://127.0.0.1:1`)
  await expect(blobs.get(KEY)).rejects.toThrow(/failed to get a file/)
})
