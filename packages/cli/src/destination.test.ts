import { spawnSync } from 'node:child_process'
import { readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { data, stream, useTestService } from '@subtext/sdk/testing'
import { writeWhole } from './files.ts'
import { runCli, useFolders } from './testing/run-cli.ts'

const makeFolder = useFolders()
const serve = useTestService()

const URL = 'https://youtu.be/dQw4w9WgXcQ'
const ended = { job_id: 'job-1', status: 'completed', video_id: 'dQw4w9WgXcQ', video_url: URL }
const start = () =>
  serve(data({ job_id: 'job-1' }), stream(['completed', '1', ended]), (response) => void response.end('text'))

describe('--output', () => {
  test.each([
    // Linux creates no folders there, and says of each folder above that it is missing.
    ['/proc/subtext-x/y.md'],
    ['/dev/null/y.md'],
    ['/dev/null/y/'],
  ])('ends with code 2 for %s, where nothing can be created, before anything is submitted', async (path) => {
    const service = await start()
    const { code, stdout, stderr } = await runCli(['summarize', URL, '-o', path], {
      apiKey: 'sk_x',
      baseUrl: service.url,
    })
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`Cannot write to ${path}: `)])
    expect(service.requests).toEqual([])
  })

  test('creates the folders of a file, and leaves nothing but the file', async () => {
    const service = await start()
    const folder = await makeFolder()
    const file = join(folder, 'a/b/talk.md')
    const { code } = await runCli(['summarize', URL, '-o', file], { apiKey: 'sk_x', baseUrl: service.url })
    expect([code, await readFile(file, 'utf8')]).toEqual([0, 'text'])
    expect(await readdir(join(folder, 'a/b'))).toEqual(['talk.md'])
  })

  test('writes to a device, and replaces what a link names rather than the link', async () => {
    const folder = await makeFolder()
    const [pipe, target, link] = ['pipe', 'target.md', 'link.md'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    spawnSync('sh', ['-c', `mkfifo '${pipe}'`])
    const [read] = await Promise.all([readFile(pipe, 'utf8'), writeWhole(pipe, 'text')])
    expect([read, (await stat(pipe)).isFIFO()]).toEqual(['text', true])
    await writeFile(target, 'old')
    await symlink(target, link)
    await writeWhole(link, 'new')
    expect([await readFile(target, 'utf8'), await readlink(link)]).toEqual(['new', target])
  })

  test('lets two results for the same file be written at the same time', async () => {
    const file = join(await makeFolder(), 'talk.md')
    await Promise.all(Array.from({ length: 20 }, () => writeWhole(file, 'text'.repeat(10_000))))
    expect(await readFile(file, 'utf8')).toBe('text'.repeat(10_000))
  })

  test('says which file cannot be written, and how to get the result again', async () => {
    const folder = await makeFolder()
    const service = await serve(data({ job_id: 'job-1' }), stream(['completed', '1', ended]), async (response) => {
      // The folder is replaced by a file while the job runs.
      spawnSync('sh', ['-c', `rm -r '${folder}/out' && touch '${folder}/out'`])
      response.end('text')
    })
    const file = join(folder, 'out/talk.md')
    const { code, stderr } = await runCli(['summarize', URL, '-o', file], { apiKey: 'sk_x', baseUrl: service.url })
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot write to ${file}: `)])
    expect(stderr).toContain('subtext result job-1')
  })
})
