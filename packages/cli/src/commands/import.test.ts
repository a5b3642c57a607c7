import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { data, failure, stream, useTestService } from '@subtext/sdk/testing'
import { runCli, useFolders } from '../testing/run-cli.ts'

const makeFolder = useFolders()
const serve = useTestService()

const CAPTIONS = 'WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n'
const unreadable = failure(422, 'CAPTIONS_UNREADABLE', false, {}, { reason: 'no_times', line: 1 })
const submitted = data({ job_id: 'job-1' })
const ended = stream(['completed', '1', { job_id: 'job-1', status: 'completed', video_id: 'imp-aaaaaaaaaaaaaaaa' }])
const document: typeof ended = (response) => void response.end('# Title\n')

async function filesOf(...names: string[]): Promise<string[]> {
  const folder = await makeFolder()
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, CAPTIONS)
  return paths
}

test('sends a file with its language and title, and prints its summary', async () => {
  const [file = ''] = await filesOf('meeting.vtt')
  const service = await serve(submitted, ended, document)
  const args = ['import', file, '--language', 'en', '--title', 'Budget']
  expect(await runCli(args, { apiKey: 'sk_x', baseUrl: service.url })).toMatchObject({ code: 0, stdout: '# Title\n' })
  const [sent] = service.requests
  expect(sent?.url).toBe('/api/v1/videos/import')
  for (const part of ['filename="meeting.vtt"', CAPTIONS, 'name="language"\r\n\r\nen', 'name="title"\r\n\r\nBudget'])
    expect(sent?.body).toContain(part)
})

test('a file that cannot be read does not affect the others', async () => {
  const [bad = '', good = ''] = await filesOf('bad.txt', 'good.vtt')
  const service = await serve(unreadable, submitted, ended, document)
  const { code, stdout, stderr } = await runCli(['import', bad, good], { apiKey: 'sk_x', baseUrl: service.url })
  expect([code, stdout]).toEqual([3, '# Title\n'])
  expect(stderr).toContain(`${bad}: Message of CAPTIONS_UNREADABLE. (CAPTIONS_UNREADABLE)`)
})

test('prints the job of each file without waiting for it', async () => {
  const files = await filesOf('a.vtt', 'b.vtt')
  const service = await serve(submitted)
  const options = { apiKey: 'sk_x', baseUrl: service.url }
  expect(await runCli(['import', ...files, '--no-wait'], options)).toMatchObject({ code: 0, stdout: 'job-1\njob-1\n' })
  const { stdout } = await runCli(['import', ...files, '--no-wait', '--json'], options)
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(files.map((file) => ({ job_id: 'job-1', file })))
})

test.each([
  ['a title for several files', ['a.vtt', 'b.vtt'], ['--title', 'Budget'], '`--title` is for one file only.'],
  ['a file that does not exist', [], ['/nonexistent/a.vtt'], '/nonexistent/a.vtt cannot be read'],
])('refuses %s before anything is sent', async (_, names, more, message) => {
  const service = await serve(submitted)
  const { code, stderr } = await runCli(['import', ...(await filesOf(...names)), ...more], {
    apiKey: 'sk_x',
    baseUrl: service.url,
  })
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect(service.requests).toEqual([])
})
