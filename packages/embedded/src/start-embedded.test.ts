import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { markProcess } from './process-mark.ts'
import { startEmbedded } from './start-embedded.ts'
import { waitUntil } from './wait.ts'

const SUPERVISOR = `
  import { startEmbedded } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
  const { databaseUrl, postgres, redis } = await startEmbedded({ dataDir: process.argv[1], durable: false })
  process.once('SIGTERM', () => process.exit(3))
  console.log(JSON.stringify({ databaseUrl, pids: [postgres.pid, redis.pid] }))
`

let root: string
let supervisor: ChildProcess | undefined

/** Another process with servers in the directory. */
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

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'subtext embedded-'))
})
afterEach(async () => {
  if (supervisor?.kill('SIGKILL')) await once(supervisor, 'exit')
  supervisor = undefined
})
afterAll(async () => {
  // Ends what the last of the killed supervisors left behind.
  await (await startEmbedded({ dataDir: join(root, 'orphan'), durable: false })).stop()
  rmSync(root, { recursive: true })
})

describe('startEmbedded', () => {
  test('starts nothing for what has a URL', async () => {
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

  test('ends what a killed supervisor left behind, and finds its data', async () => {
    const dataDir = join(root, 'orphan')
    const { databaseUrl, pids, child } = await superviseElsewhere(dataDir)
    await query(databaseUrl, `create table kept as select 7 as number`)

    const sameTime = startEmbedded({ dataDir, durable: false })
    await expect(sameTime).rejects.toThrow(`in use by another running instance (pid ${child.pid})`)

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

  test('ends its servers when the process exits without stopping them', async () => {
    const { pids, child } = await superviseElsewhere(join(root, 'orphan'))
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([3, null])
    expect(await waitUntil(() => pids.every((pid) => markProcess(pid) === undefined), 5000)).toBe(true)
  })

  // The process group of another process is told by /proc alone.
  const onLinux = process.platform === 'linux' ? test : test.skip
  onLinux('keeps its servers out of reach of a Ctrl-C on the terminal: each leads its own process group', async () => {
    const { pids } = await superviseElsewhere(join(root, 'orphan'))
    const groups = pids.map((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[2])
    expect(groups).toEqual(pids.map(String))
  })

  test('leaves no server running when one of them does not start', async () => {
    const dataDir = join(root, 'orphan')
    const redis = await startEmbedded({ dataDir, durable: false, databaseUrl: 'postgresql://given' })
    await expect(startEmbedded({ dataDir, durable: false })).rejects.toThrow('in use')
    expect(existsSync(join(dataDir, 'postgres', 'server.pid'))).toBe(false)
    expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
    await redis.stop()
  })
})
