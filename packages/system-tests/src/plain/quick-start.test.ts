import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inheritedEnv } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { useClient, watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const GUIDE = readFileSync(new URL('../../../../docs/guides/quick-start.md', import.meta.url), 'utf8')
const TALK = SAMPLE_TALKS.english

const system = usePlainSystem()
const client = useClient(system)

/** Runs the program of the guide in a language for a video, and returns what it prints. */
async function runProgram(language: string, command: string[], url: string): Promise<string> {
  const [, program = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(GUIDE) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'subtext-quick-start-'))
  try {
    const file = join(folder, `subtext.${language === 'ts' ? 'mts' : 'py'}`)
    await writeFile(file, program.replace('https://www.youtube.com/watch?v=sbtx-en-map', url))
    const env = { ...inheritedEnv(), API: `${system.baseUrl}/api/v1`, KEY: client.key }
    const [runtime = '', ...options] = command
    return (await promisify(execFile)(runtime, [...options, file], { env, cwd: import.meta.dirname })).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

const testWithPython = spawnSync('python3', ['--version']).status === 0 ? test : test.skip
const TYPESCRIPT = [process.execPath, '--import', 'tsx']

test('the TypeScript of the quick start prints the title, a summary and the length of the transcript', async () => {
  const lines = (await runProgram('ts', TYPESCRIPT, watchUrl(TALK.id))).trim().split('\n')
  expect(lines[0]).toBe(TALK.title)
  expect(lines.at(-1)).toMatch(/^\d+ characters of transcript in en/)
  expect(lines.length).toBeGreaterThan(2)
})

testWithPython('the Python of the quick start prints the same (needs python3)', async () => {
  expect(await runProgram('python', ['python3'], watchUrl(TALK.id))).toBe(
    await runProgram('ts', TYPESCRIPT, watchUrl(TALK.id)),
  )
})

test('the TypeScript of the quick start ends with the error of a video that fails', async () => {
  await expect(runProgram('ts', TYPESCRIPT, watchUrl('doesNotXist'))).rejects.toThrow('VIDEO_UNAVAILABLE')
})

testWithPython('the Python of the quick start ends with that error, too (needs python3)', async () => {
  await expect(runProgram('python', ['python3'], watchUrl('doesNotXist'))).rejects.toThrow('VIDEO_UNAVAILABLE')
})
