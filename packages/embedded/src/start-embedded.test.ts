import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markProcess } from './process-mark.ts'
import { startEmbedded } from './start-embedded.ts'
import { query } from './testing/query.ts'
import { waitUntil } from './wait.ts'

const SUPERVISOR = `
  import { startEmbedded } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
  const { databaseUrl, postgres, redis } = await startEmbedded({ dataDir: process.argv[1], durable: false })
  process.once('SIGTERM', () => process.exit(3))
  console.log(JSON.stringify({ databaseUrl, pids: [postgres.pid, redis.pid] }))
`

let root: string
let supervisor: ChildProcess | undefined

/** Starts the servers from another process. */
async function superviseElsewhere(
  dataDir: string,
): Promise<{ databaseUrl: string; pids: number[]; child: ChildProcess }> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', SUPERVISOR, dataDir], {
    cwd: new URL('.', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  supervisor = child
  const [line] = await once(child.stdout, 'data')
  return { ...JSON.parse(String(line)), child }
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'subtext embedded-'))
})
afterEach(async () => {
  if (supervisor?.kill('SIGKILL')) await once(supervisor, 'exit')
  supervisor = undefined
})
afterAll(async () => {
  // Stops what the last killed supervisor has left behind.
  await (await startEmbedded({ dataDir: join(root, 'orphan'), durable: false })).stop()
  rmSync(root, { recursive: true })
})

describe('startEmbedded', () => {
  test('starts no server whose URL is given', async () => {
    const dataDir = join(root, 'unused')
    const embedded = await startEmbedded({
      dataDir,
      durable: true,
      databaseUrl: 'postgresql://a/b',
      redisUrl: 'redis://c',
    })
    expect(embedded).toMatchObject({ databaseUrl: 'postgresql://a/b', redisUrl: 'redis://c' })
    await embedded.stop()
    expect(existsSync(dataDir)).toBe(false)
  })

  test('stops the servers that a killed supervisor has left behind, and keeps their data', async () => {
    const dataDir = join(root, 'orphan')
    const { databaseUrl, pids, child } = await superviseElsewhere(dataDir)
    await query(databaseUrl, `create table kept as select 7 as number`)

    const concurrent = startEmbedded({ dataDir, durable: false })
    await expect(concurrent).rejects.toThrow(`in use by another running instance (pid ${child.pid})`)

    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(pids.map((pid) => markProcess(pid)?.pid)).toEqual(pids)
    const progress: string[] = []
    const embedded = await startEmbedded({ dataDir, durable: false, onProgress: (text) => progress.push(text) })
    try {
      expect(pids.map((pid) => markProcess(pid))).toEqual([undefined, undefined])
      expect(progress).toHaveLength(2)
      expect(await query(embedded.databaseUrl, 'table kept')).toEqual([{ number: 7 }])
    } finally {
      await embedded.stop()
    }
  })

  test('stops its servers when the process exits without stopping them', async () => {
    const { pids, child } = await superviseElsewhere(join(root, 'orphan'))
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([3, null])
    expect(await waitUntil(() => pids.every((pid) => markProcess(pid) === undefined), 120_000)).toBe(true)
  })

  // Only /proc tells the process group of another process.
  const onLinux = process.platform === 'linux' ? test : test.skip
  onLinux('protects its servers from Ctrl-C on the terminal by giving each its own process group', async () => {
    const { pids } = await superviseElsewhere(join(root, 'orphan'))
    const groups = pids.map((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[2])
    expect(groups).toEqual(pids.map(String))
  })

  test('leaves no server running if one of them does not start', async () => {
    const dataDir = join(root, 'orphan')
    const redis = await startEmbedded({ dataDir, durable: false, databaseUrl: 'postgresql://given' })
    await expect(startEmbedded({ dataDir, durable: false })).rejects.toThrow('in use')
    expect(existsSync(join(dataDir, 'postgres', 'server.pid'))).toBe(false)
    expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
    await redis.stop()
  })
})
