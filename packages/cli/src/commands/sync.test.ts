import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { data, failure, useTestService } from '@subtext/sdk/testing'
import { archive, buildArchive, buildNote, type TestDocument } from '../testing/export-service.ts'
import { type CliOptions, runCli, useFolders } from '../testing/run-cli.ts'

const makeFolder = useFolders()
const serve = useTestService()

/** Opens a folder that is compared with libraries. */
async function openSync() {
  const folder = await makeFolder()
  const service = await serve(archive([]))
  const path = (name: string) => join(folder, name)
  return {
    folder,
    service,
    async sync(documents: TestDocument[], args: string[] = [], options: CliOptions = {}) {
      service.replyWith(archive(documents))
      const result = await runCli(['sync', folder, ...args], { apiKey: 'sk_x', baseUrl: service.url, ...options })
      expect(result.code).toBe(0)
      return result
    },
    run: (...args: string[]) => runCli(['sync', folder, ...args], { apiKey: 'sk_x', baseUrl: service.url }),
    list: async () => (await readdir(folder)).filter((name) => !name.startsWith('.')).sort(),
    read: (name: string) => readFile(path(name), 'utf8'),
    edit: (name: string, text: string) => writeFile(path(name), text),
    remove: (name: string) => rm(path(name)),
    path,
  }
}

const times = async (folder: string): Promise<Record<string, number>> => {
  const names = await readdir(folder, { recursive: true })
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs])),
  )
}

test('writes a note of each video, and nothing the second time', async () => {
  const { folder, service, sync, list, read } = await openSync()
  const documents = ['a', 'b'].map((videoId) => ({ videoId, text: `Note ${videoId}` }))
  const first = await sync(documents)
  expect(first).toMatchObject({ stdout: 'new  a.md\nnew  b.md\n', stderr: '2 new, 0 changed, 0 unchanged.\n' })
  expect(service.requests.map(({ url }) => url)).toEqual(['/api/v1/library/export?format=obsidian'])
  expect([await list(), await read('a.md')]).toEqual([['a.md', 'b.md'], 'Note a'])
  const before = await times(folder)
  expect(await sync(documents)).toMatchObject({ stdout: '', stderr: '0 new, 0 changed, 2 unchanged.\n' })
  expect(await times(folder)).toEqual(before)
})

test('writes what is new or changed, under the name that a video had first', async () => {
  const { sync, list, read } = await openSync()
  await sync([{ videoId: 'a', text: 'One', name: 'First (a).md' }])
  const { stdout } = await sync([
    { videoId: 'a', text: 'Two', name: 'Second (a).md' },
    { videoId: 'b', text: 'New' },
  ])
  expect(stdout).toBe('changed  First (a).md\nnew  b.md\n')
  expect([await list(), await read('First (a).md')]).toEqual([['First (a).md', 'b.md'], 'Two'])
})

test('never overwrites a file that somebody has edited, and writes each new version beside it once', async () => {
  const { sync, list, read, edit, remove } = await openSync()
  await sync([{ videoId: 'a', text: 'One' }])
  await edit('a.md', 'Mine')
  expect((await sync([{ videoId: 'a', text: 'One' }])).stdout).toBe('')
  expect(await list()).toEqual(['a.md'])
  expect((await sync([{ videoId: 'a', text: 'Two' }])).stdout).toBe('beside  a (new).md\n')
  expect((await sync([{ videoId: 'a', text: 'Two' }])).stdout).toBe('')
  expect((await sync([{ videoId: 'a', text: 'Three' }])).stdout).toBe('beside  a (new).md\n')
  expect([await read('a.md'), await read('a (new).md')]).toEqual(['Mine', 'Three'])
  await edit('a (new).md', 'Mine too')
  await sync([{ videoId: 'a', text: 'Four' }])
  expect(await list()).toEqual(['a (new 2).md', 'a (new).md', 'a.md'])
  expect([await read('a (new).md'), await read('a (new 2).md')]).toEqual(['Mine too', 'Four'])
  await edit('a.md', 'Four')
  await remove('a (new 2).md')
  expect((await sync([{ videoId: 'a', text: 'Five' }])).stdout).toBe('changed  a.md\n')
})

test('a file that was there before, or is none, is left alone', async () => {
  const { sync, read, edit, path } = await openSync()
  await edit('a.md', 'Mine')
  await edit('b.md', 'Same')
  await mkdir(path('c.md'))
  await edit('target', 'Target')
  await symlink('target', path('d.md'))
  const documents = ['a', 'c', 'd'].map((videoId) => ({ videoId, text: 'Same' }))
  const { stdout } = await sync([...documents, { videoId: 'b', text: 'Same' }])
  expect(stdout).toBe('beside  a (new).md\nbeside  c (new).md\nbeside  d (new).md\n')
  expect([await read('a.md'), await read('target')]).toEqual(['Mine', 'Target'])
  expect((await sync(documents)).stdout).toBe('')
})

test('a note that nobody has edited is known by its hash, without what is stored about it', async () => {
  const { folder, sync, read, edit } = await openSync()
  await edit('a.md', buildNote('Old'))
  await edit('b.md', buildNote('Old').replace('"T"', '"Mine"'))
  const documents = ['a', 'b'].map((videoId) => ({ videoId, text: buildNote('New') }))
  expect((await sync(documents)).stdout).toBe('changed  a.md\nbeside  b (new).md\n')
  await rm(join(folder, '.subtext'), { recursive: true })
  expect((await sync(documents)).stdout).toBe('beside  b (new).md\n')
  expect(await read('a.md')).toBe(buildNote('New'))
})

test('a deleted file comes back only with --restore', async () => {
  const { sync, list, read, remove } = await openSync()
  const documents = ['a', 'b'].map((videoId) => ({ videoId, text: 'One' }))
  await sync(documents)
  await remove('a.md')
  const again = await sync([...documents.slice(1), { videoId: 'a', text: 'Two' }])
  expect([again.stdout, await list()]).toEqual(['', ['b.md']])
  expect(again.stderr).toContain('1 deleted and left out: --restore writes them again.')
  expect((await sync(documents, ['--restore'])).stdout).toBe('restored  a.md\n')
  expect(await read('a.md')).toBe('One')
  expect((await sync(documents)).stdout).toBe('')
})

test('writes other formats beside the notes, and one line of JSON per file', async () => {
  const { service, sync, list } = await openSync()
  await sync([{ videoId: 'a', text: 'Note' }])
  const { stdout } = await sync([{ videoId: 'a', text: 'Page', name: 'a.html' }], ['-f', 'html', '--json'])
  expect(JSON.parse(stdout)).toEqual({ action: 'new', file: 'a.html', video_id: 'a', job_id: 'job-a' })
  expect(service.requests.at(-1)?.url).toBe('/api/v1/library/export?format=html')
  expect(await list()).toEqual(['a.html', 'a.md'])
  for (const format of ['chunks', 'pdf', 'json']) {
    expect(await runCli(['sync', 'x', '-f', format])).toMatchObject({ code: 2 })
  }
})

test('with --source, writes only the videos of a playlist or a channel', async () => {
  const { service, run } = await openSync()
  service.replyWith(data({ source_id: 's-1', status: 'ready' }), archive([{ videoId: 'a', text: 'One' }]))
  expect(await run('--source', '@channel')).toMatchObject({ code: 0, stdout: 'new  a.md\n' })
  expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ url: '@channel' })
  expect(service.requests[1]?.url).toBe('/api/v1/library/export?format=obsidian&source_id=s-1')
  service.replyWith(
    data({ source_id: 's-1', status: 'failed', error: { code: 'SOURCE_UNAVAILABLE', message: 'Gone.' } }),
  )
  expect(await run('--source', '@gone')).toMatchObject({ code: 1, stderr: 'Gone. (SOURCE_UNAVAILABLE)\n' })
})

test('asks again for an archive that breaks off, and writes nothing of it', async () => {
  const { service, run, list } = await openSync()
  const bytes = buildArchive([{ videoId: 'a', text: 'One' }])
  const breakOff = (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Length': bytes.length })
    response.write(bytes.slice(0, -30), () => response.destroy())
  }
  service.replyWith(breakOff, archive([{ videoId: 'a', text: 'One' }]))
  expect(await run()).toMatchObject({ code: 0, stdout: 'new  a.md\n' })
  service.replyWith(breakOff)
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('did not arrive whole') })
  expect(await list()).toEqual(['a.md'])
})

test('writes to no other folder, whatever a service or a log says', async () => {
  const { folder, service, run, sync, list } = await openSync()
  for (const name of ['../up.md', '/root.md', 'sub/a.md', '.hidden', 'a\\b.md']) {
    service.replyWith(archive([{ videoId: 'a', text: 'One', name }]))
    expect((await run()).code).toBe(1)
  }
  await mkdir(join(folder, '.subtext'))
  const line = { video_id: 'a', format: 'obsidian', name: '../up.md', hash: 'x', written: true }
  await writeFile(join(folder, '.subtext', 'sync.jsonl'), `${JSON.stringify(line)}\n{"torn`)
  expect((await sync([{ videoId: 'a', text: 'One' }])).stdout).toBe('new  a.md\n')
  expect(await list()).toEqual(['a.md'])
})

test('refuses a log of a newer version and a folder that is none', async () => {
  const { folder, run } = await openSync()
  await mkdir(join(folder, '.subtext'))
  await writeFile(join(folder, '.subtext', 'sync.jsonl'), '{"version":2}\n')
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('newer version') })
  await writeFile(join(folder, 'file'), '')
  expect((await runCli(['sync', join(folder, 'file')], { apiKey: 'sk_x' })).code).toBe(2)
})

test('goes on with --watch until it is interrupted, and asks only for what is new', async () => {
  const { service, folder, list } = await openSync()
  const completedAt = '2026-03-01T12:00:00.000Z'
  service.replyWith(
    archive([{ videoId: 'a', text: 'One', completedAt }]),
    failure(503, 'SERVICE_UNAVAILABLE', true),
    archive([{ videoId: 'b', text: 'Two', completedAt }]),
  )
  const interrupt = new AbortController()
  const running = runCli(['sync', folder, '--watch'], { apiKey: 'sk_x', baseUrl: service.url, interrupt })
  while ((await list()).length < 2) await sleep(20)
  interrupt.abort()
  expect(await running).toMatchObject({
    code: 130,
    stdout: 'new  a.md\nnew  b.md\n',
    stderr: '1 new, 0 changed, 0 unchanged.\n',
  })
  expect(service.requests.at(-1)?.url).toBe('/api/v1/library/export?format=obsidian&since=2026-03-01T11%3A55%3A00.000Z')
}, 30_000)
