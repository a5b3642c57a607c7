import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFileStore } from './file-store.ts'

const ERROR = 'The directory does not respond.'
const BYTES = Buffer.from('content')
/** Number of threads that Node.js has for files. */
const THREADS = 4
/** Names that Node.js has for what its threads do with files. */
const FILE_OPERATIONS = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq'])

let directory: string
/** Calls that make a key respond again. A thread that waits would keep the process of the tests from exiting. */
let stopped: (() => void)[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subtext-blobs-'))
  stopped = []
})
afterEach(async () => {
  respond()
  await rm(directory, { recursive: true, force: true })
})

/** Makes reading a key wait, like on a file server that has stopped responding, until `respond` is called. */
function stopResponding(key: string): string {
  const path = join(directory, key)
  execFileSync('mkfifo', [path])
  // Not in a thread: all of them may wait.
  stopped.push(() => closeSync(openSync(path, 'r+')))
  return path
}

function respond(): void {
  for (const end of stopped.splice(0)) end()
}

test('a directory that does not respond is an error, and is used again as soon as it responds', async () => {
  await createFileStore(directory).put('kept', BYTES, 'text/plain')
  const files = createFileStore(directory, { timeoutMs: 200 })
  for (const key of ['first', 'second']) stopResponding(key)

  await Promise.all(['first', 'second', 'kept'].map((key) => expect(files.get(key)).rejects.toThrow(ERROR)))
  // Without another thread that waits.
  const refused = files.get('kept').then(
    () => 'read',
    () => 'refused at once',
  )
  const waiting = new Promise<string>((resolve) => setImmediate(resolve, 'waits'))
  expect(await Promise.race([refused, waiting])).toBe('refused at once')
  await expect(files.put('new', BYTES, 'text/plain')).rejects.toThrow(ERROR)

  respond()
  expect(await untilFulfilled(() => files.get('kept'))).toEqual(BYTES)
  await untilFulfilled(() => files.put('new', BYTES, 'text/plain'))
  expect(await untilFulfilled(() => files.get('new'))).toEqual(BYTES)
})

test('one file that cannot be read does not keep others from being used', async () => {
  const files = createFileStore(directory, { timeoutMs: 200 })
  stopResponding('first')
  await expect(files.get('first')).rejects.toThrow(ERROR)
  await untilFulfilled(() => files.put('second', BYTES, 'text/plain'))
  expect(await untilFulfilled(() => files.get('second'))).toEqual(BYTES)
})

test('a file that was not stored in time does not appear later, when nobody would delete it', async () => {
  const files = createFileStore(directory, { timeoutMs: 50 })
  const reading = Array.from({ length: THREADS }, (_, index) => readFile(stopResponding(`stopped-${index}`)))
  await expect(files.put('late', BYTES, 'text/plain')).rejects.toThrow(ERROR)
  respond()
  await Promise.all(reading)
  while (process.getActiveResourcesInfo().some((kind) => FILE_OPERATIONS.has(kind))) await sleep(10)
  expect(await readdir(directory)).not.toContain('late')
  expect(await readdir(join(directory, '.unfinished'))).toEqual([])
})

test('stores files although what an earlier process left behind cannot be deleted', async () => {
  const abandoned = join(directory, '.unfinished', 'abandoned')
  await mkdir(abandoned, { recursive: true })
  await writeFile(join(abandoned, 'content'), '')
  await utimes(abandoned, new Date(0), new Date(0))
  const files = createFileStore(directory)
  await files.put('file', BYTES, 'text/plain')
  expect(await files.get('file')).toEqual(BYTES)
})

/** Repeats work until it succeeds: on a busy machine, it may take longer than the timeout of a test. */
async function untilFulfilled<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch {
      await sleep(10)
    }
  }
}
