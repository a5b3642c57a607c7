import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, open, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFileStore } from './file-store.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subtext-blobs-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** Makes reading a key wait, like on a file server that has stopped responding, until `respond` is called. */
function stopResponding(key: string): { respond: () => Promise<void> } {
  const path = join(directory, key)
  execFileSync('mkfifo', [path])
  return {
    async respond() {
      const end = await open(path, 'r+')
      await end.close()
    },
  }
}

test('a directory that does not respond is an error, and is used again as soon as it responds', async () => {
  const files = createFileStore(directory, { timeoutMs: 200 })
  await files.put('kept', Buffer.from('kept'), 'text/plain')
  const stopped = [stopResponding('first'), stopResponding('second')]
  const error = 'The directory does not respond.'

  await Promise.all(['first', 'second', 'kept'].map((key) => expect(files.get(key)).rejects.toThrow(error)))
  // Without another thread that waits.
  const refused = files.get('kept').then(
    () => 'read',
    () => 'refused at once',
  )
  const waiting = new Promise<string>((resolve) => setImmediate(resolve, 'waits'))
  expect(await Promise.race([refused, waiting])).toBe('refused at once')
  await expect(files.put('new', Buffer.from('new'), 'text/plain')).rejects.toThrow(error)

  await Promise.all(stopped.map(({ respond }) => respond()))
  expect(String(await untilFulfilled(() => files.get('kept')))).toBe('kept')
  await files.put('new', Buffer.from('new'), 'text/plain')
  expect(String(await files.get('new'))).toBe('new')
})

test('one file that cannot be read does not keep others from being used', async () => {
  const files = createFileStore(directory, { timeoutMs: 200 })
  const { respond } = stopResponding('first')
  await expect(files.get('first')).rejects.toThrow('The directory does not respond.')
  await files.put('second', Buffer.from('content'), 'text/plain')
  expect(String(await files.get('second'))).toBe('content')
  await respond()
})

test('stores files although what an earlier process left behind cannot be deleted', async () => {
  const abandoned = join(directory, '.unfinished', 'abandoned')
  await mkdir(abandoned, { recursive: true })
  await writeFile(join(abandoned, 'content'), '')
  await utimes(abandoned, new Date(0), new Date(0))
  const files = createFileStore(directory)
  await files.put('file', Buffer.from('content'), 'text/plain')
  expect(String(await files.get('file'))).toBe('content')
})

async function untilFulfilled<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch {
      await sleep(10)
    }
  }
}
