import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CliResult, runCli, useFolders } from '@subtext/cli/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { useClient, watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const TALK = SAMPLE_TALKS.english
const URL = watchUrl(TALK.id)
const HINDI = watchUrl(SAMPLE_TALKS.hindi.id)
const MISSING = watchUrl('doesNotXist')

const system = usePlainSystem()
const client = useClient(system)
const makeFolder = useFolders()
const cli = (args: string[], stdin?: string): Promise<CliResult> =>
  runCli(args, { apiKey: client.key, baseUrl: system.baseUrl, stdin })
const linesOf = (text: string) => text.trim().split('\n')

test('the command line prints the summary of a video alone on standard output', async () => {
  const { code, stdout, stderr } = await cli(['summarize', URL, '--mode', 'tldr,key_insights'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(new RegExp(`^# ${TALK.title}`))
})

test('the command line prints transcripts as text and as subtitles', async () => {
  const [plain, subtitles] = [await cli(['transcript', URL]), await cli(['transcript', URL, '-f', 'srt'])]
  expect(plain.stdout.replaceAll(/\s+/g, ' ')).toContain(TALK.tracks[0]?.cues()[0]?.text)
  expect(subtitles.stdout).toMatch(/^1\n00:00:\d\d,\d{3} --> /)
})

test('the command line prints one line of JSON per video, failures included, and ends with code 3', async () => {
  const { code, stdout, stderr } = await cli(['summarize', '-', '--json'], `# talks\n${URL}\n\n${MISSING}\n`)
  const results = linesOf(stdout).map((line) => JSON.parse(line))
  expect(code).toBe(3)
  expect(results.map(({ format, error }) => format ?? error.code).sort()).toEqual(['VIDEO_UNAVAILABLE', 'json'])
  expect(stderr).toContain('(VIDEO_UNAVAILABLE)')
})

test('the command line ends with code 1 when every video fails', async () => {
  expect(await cli(['summarize', MISSING])).toMatchObject({ code: 1, stdout: '' })
})

test('the command line reports an invalid URL and processes the others', async () => {
  const { code, stdout, stderr } = await cli(['transcript', URL, 'https://example.org/'])
  expect([code, stderr]).toEqual([3, expect.stringContaining('https://example.org/: ')])
  expect(stdout).not.toBe('')
})

test('the command line writes one file per video to a folder, and skips those that exist', async () => {
  const folder = join(await makeFolder(), 'out')
  expect(await cli(['summarize', URL, HINDI, '-o', folder])).toMatchObject({ code: 0, stdout: '' })
  const files = [TALK.id, SAMPLE_TALKS.hindi.id].map((id) => `${id}.md`).sort()
  expect((await readdir(folder)).sort()).toEqual(files)
  await writeFile(join(folder, `${TALK.id}.md`), 'edited')
  const again = await cli(['summarize', URL, HINDI, '-o', folder])
  expect(again).toMatchObject({ code: 0, stderr: '2 of 2 already exist.\n' })
  expect(await readFile(join(folder, `${TALK.id}.md`), 'utf8')).toBe('edited')
})

test('the command line submits without waiting, and shows, lists and cancels jobs', async () => {
  const { id } = system.addCopy(TALK)
  const release = system.platform.hold({ kind: 'timedtext', videoId: id })
  const { stdout } = await cli(['summarize', watchUrl(id), '--no-wait'])
  const jobId = stdout.trim()
  expect((await cli(['status', jobId])).stdout).toContain(watchUrl(id))
  expect((await cli(['list', '-n', '1'])).stdout).toContain(jobId)
  expect(await cli(['cancel', jobId])).toMatchObject({ code: 0, stdout: 'cancelled\n' })
  release()
  expect(await cli(['status', jobId, '--wait'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('JOB_CANCELLED'),
  })
  expect(await cli(['result', jobId])).toMatchObject({ code: 1, stderr: expect.stringContaining(`Job: ${jobId}`) })
})

test('the command line shows plan and quotas', async () => {
  const { stdout } = await cli(['usage'])
  expect(stdout).toMatch(/^Plan {16}\w+\nVideos today/)
  expect(JSON.parse((await cli(['usage', '--json'])).stdout)).toHaveProperty('quotas.daily.used')
})

test('the command line ends with code 2 when the service does not know an option', async () => {
  const { code, stderr } = await cli(['summarize', URL, '--mode', 'short'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('key_insights')])
})

test('the command line estimates a video, adds to its job and shows the receipt', async () => {
  const { stdout } = await cli(['estimate', URL, '--mode', 'tldr'])
  expect(stdout).toMatch(/^Accepted {2}yes\nCost {6}\$0\.000000 /)
  expect(await cli(['estimate', 'https://example.org/'])).toMatchObject({ code: 1, stdout: '' })
  const { job_id: jobId } = JSON.parse((await cli(['summarize', URL, '--no-wait', '--json'])).stdout)
  await cli(['status', jobId, '--wait'])
  const derived = (await cli(['derive', jobId, '--mode', 'detailed'])).stdout.trim()
  expect((await cli(['status', derived, '--wait'])).code).toBe(0)
  expect((await cli(['receipt', jobId])).stdout).toContain('The job was accepted.')
  expect(JSON.parse((await cli(['receipt', derived, '--json'])).stdout)).toMatchObject({
    derived_from: jobId,
    quota_effect: 0,
  })
})

test('the command line saves a result as a PDF, with the picture that the worker has kept', async () => {
  const file = join(await makeFolder(), 'talk.pdf')
  expect(await cli(['summarize', URL, '--format', 'pdf', '-o', file])).toMatchObject({ code: 0, stdout: '' })
  const pdf = (await readFile(file)).toString('latin1')
  expect(pdf).toMatch(/^%PDF-1\.7/)
  expect(pdf).toContain(`/Title (${TALK.title})`)
  expect(pdf).toContain('/Subtype /Image')
})

test('the command line answers questions about a video with the times of what it quotes', async () => {
  const { job_id: jobId } = JSON.parse((await cli(['summarize', URL, '--no-wait', '--json'])).stdout)
  await cli(['status', jobId, '--wait'])
  const answer = await cli(['chat', jobId, 'What', 'is the talk about?'])
  expect(answer).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/ \[\d+:\d\d\]\n/) })
  const { conversation_id: id, message } = JSON.parse((await cli(['chat', jobId, '--json'], 'And then?')).stdout)
  const more = await cli(['chat', jobId, '-c', id, 'And before?', '--json'])
  expect(JSON.parse(more.stdout).conversation_id).toBe(id)
  expect((await cli(['chat', jobId, '--list'])).stdout).toMatch(new RegExp(`${id}  4 `))
  const shown = (await cli(['chat', jobId, '--show', id])).stdout
  expect(shown).toMatch(/^> And then\?\n\n/)
  expect(shown.replaceAll(/ \[[\d:]+\]/g, '')).toContain(message.content)
  expect(await cli(['chat', jobId, '--delete', id])).toMatchObject({ code: 0, stdout: 'deleted\n' })
  expect(await cli(['chat', jobId, '--show', id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('NOT_FOUND'),
  })
})

test('the command line keeps a folder of notes, and leaves alone what somebody has edited', async () => {
  const folder = join(await makeFolder(), 'notes')
  const { job_id: jobId } = JSON.parse((await cli(['summarize', URL, '--no-wait', '--json'])).stdout)
  await cli(['status', jobId, '--wait'])
  const [name = ''] =
    (await cli(['sync', folder])).stdout.match(new RegExp(`(?<=^new  ).* \\(${TALK.id}\\)\\.md$`, 'm')) ?? []
  const note = await readFile(join(folder, name), 'utf8')
  expect(note).toMatch(/^---\njob_id: ".*"\nvideo_id: "/)
  expect(await cli(['sync', folder])).toMatchObject({ code: 0, stdout: '' })
  const derived = (await cli(['derive', jobId, '--mode', 'detailed'])).stdout.trim()
  await cli(['status', derived, '--wait'])
  expect((await cli(['sync', folder])).stdout).toBe(`changed  ${name}\n`)
  expect(await readFile(join(folder, name), 'utf8')).toContain(`job_id: "${derived}"`)
  await writeFile(join(folder, name), 'edited')
  const again = (await cli(['derive', derived, '--mode', 'key_insights'])).stdout.trim()
  await cli(['status', again, '--wait'])
  expect((await cli(['sync', folder])).stdout).toBe(`beside  ${name.replace('.md', ' (new).md')}\n`)
  expect(await readFile(join(folder, name), 'utf8')).toBe('edited')
})
