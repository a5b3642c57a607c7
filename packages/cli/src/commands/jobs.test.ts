import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { jest } from '@jest/globals'
import { data, failure, stream, useTestService } from '@subtext/sdk/testing'
import { readEnvironment } from '../env.ts'
import { formatTime } from '../table.ts'
import { type CliOptions, runCli, useFolders } from '../testing/run-cli.ts'

const makeFolder = useFolders()
const serve = useTestService()

describe('a Markdown document', () => {
  const ended = { job_id: 'job-1', status: 'completed', video_id: 'dQw4w9WgXcQ', video_url: 'x' }
  const markdown = '# Title\n\n- *One*\n'
  const print = async (options: CliOptions, ...args: string[]) => {
    const service = await serve(stream(['completed', '1', ended]), (response) => void response.end(markdown))
    return (await runCli(['result', 'job-1', ...args], { apiKey: 'sk_x', baseUrl: service.url, ...options })).stdout
  }

  test('is laid out on a terminal, in color', async () => {
    const stdout = await print({ isTTY: true })
    expect(stripVTControlCharacters(stdout)).toBe('Title\n\n• One\n')
    expect(stdout).toContain('\u001b[1m')
  })

  test.each([0, undefined])('is laid out for 80 columns on a terminal that has %s of them', async (columns) => {
    expect(stripVTControlCharacters(await print({ isTTY: true, columns }))).toBe('Title\n\n• One\n')
  })

  test('is laid out without color on a terminal if NO_COLOR is set or it has none', async () => {
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }]) {
      expect(await print({ isTTY: true, hasColor: readEnvironment(env).hasColor })).toBe('Title\n═════\n\n• One\n')
    }
  })

  test('stays as it is in a pipe, unless FORCE_COLOR is set', async () => {
    expect(await print({})).toBe(markdown)
    expect(await print({ hasColor: readEnvironment({ NO_COLOR: '1' }).hasColor })).toBe(markdown)
    expect(await print({ hasColor: readEnvironment({ FORCE_COLOR: '1', NO_COLOR: '1' }).hasColor })).toContain(
      '\u001b[',
    )
  })

  test('stays as it is in a file, on a terminal too', async () => {
    const file = join(await makeFolder(), 'result.md')
    expect(await print({ isTTY: true, hasColor: true }, '-o', file)).toBe('')
    expect(await readFile(file, 'utf8')).toBe(markdown)
  })
})

test('lists jobs with their titles, what was asked for, and the time by the clock of the reader', async () => {
  const job = {
    job_id: 'job-1',
    status: 'completed',
    created_at: '2026-01-15T22:05:00.000Z',
    video_id: 'dQw4w9WgXcQ',
    video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  }
  const jobs = [
    { ...job, video_title: 'Never\ngonna', summary_modes: ['tldr', 'detailed'], output_language: 'de' },
    { ...job, job_id: 'job-2', summary_modes: [] },
  ]
  const service = await serve(data({ jobs, pagination: { next_cursor: null } }))
  const offset = jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-330)
  const { stdout } = await runCli(['list'], { apiKey: 'sk_x', baseUrl: service.url })
  offset.mockRestore()
  expect(stdout).toBe(`JOB    STATUS     SUBMITTED                   VIDEO        SUMMARIES            TITLE
job-1  completed  2026-01-16 03:35 UTC+05:30  dQw4w9WgXcQ  tldr detailed in de  Never gonna
job-2  completed  2026-01-16 03:35 UTC+05:30  dQw4w9WgXcQ  -                    https://www.youtube.com/watch?v=dQw4w9WgXcQ
`)
})

test.each([
  [-60, '2026-01-15 01:00 UTC+01:00'],
  [0, '2026-01-15 00:00 UTC'],
  [210, '2026-01-14 20:30 UTC-03:30'],
])('writes a time %i minutes from UTC as %s', (behind, text) => {
  const offset = jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(behind)
  expect(formatTime('2026-01-15T00:00:00.000Z')).toBe(text)
  offset.mockRestore()
})

describe('delete', () => {
  const gone = (response: ServerResponse) => void response.writeHead(204).end()
  const remove = async (args: string[], ...responders: Parameters<typeof serve>) =>
    runCli(['delete', ...args], { apiKey: 'sk_x', baseUrl: (await serve(...responders)).url })

  test('deletes without asking where there is no terminal', async () => {
    expect(await remove(['job-1', 'job-2'], gone)).toMatchObject({ code: 0, stdout: 'deleted job-1\ndeleted job-2\n' })
  })

  test('goes on after a job that has not ended', async () => {
    const result = await remove(['job-1', 'job-2', '--json'], failure(409, 'JOB_NOT_COMPLETED', true), gone)
    expect(result).toMatchObject({ code: 3, stdout: '{"job_id":"job-2","deleted":true}\n' })
    expect(result.stderr).toContain('job-1: ')
  })

  test('fails if there is no such job', async () => {
    expect(await remove(['job-1'], failure(404, 'NOT_FOUND', false))).toMatchObject({ code: 1, stdout: '' })
  })
})
