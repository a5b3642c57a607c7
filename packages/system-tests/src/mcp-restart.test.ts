import { Client as NewClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { useClient, useTestSystem, watchUrl } from '@subtext/testbed'
import { type Access, rpc, TASKS } from './mcp-rpc.ts'
import { STDIO_SERVER, startMcp } from './start-mcp.ts'

const SUMMARIZE = 'summarize_platform_video'
const INFO = { name: 'test', version: '1.0.0' }

interface Answer {
  structuredContent?: { status: string; job_id: string }
}
type OnProgress = (progress: { message?: string }) => void
type Call = (name: string, args: Record<string, unknown>, onProgress?: OnProgress) => Promise<Answer>

const TIMEOUT = { timeout: 600_000 }

const system = useTestSystem()
const client = useClient(system)

/** Starts the MCP server over stdio, as a client does. */
const openStdio = (): StdioClientTransport => {
  const env = { ...inheritedEnv(), SERVICE_API_KEY: client.key, SERVICE_API_BASE: system.baseUrl } as Record<
    string,
    string
  >
  return new StdioClientTransport({ ...STDIO_SERVER, env })
}

const callsOf = (client: NewClient): Call =>
  ((name, args, onprogress) => client.callTool({ name, arguments: args }, { ...TIMEOUT, onprogress })) as Call

/** Connects a client of each kind. Each returns what calls a tool, and what closes it. */
async function connectAll() {
  const requestInit = { headers: { Authorization: `Bearer ${client.key}` } }
  const url = new URL(system.mcpUrl)
  const [legacy, modern, local] = [
    new OldClient(INFO),
    new NewClient(INFO, { versionNegotiation: { mode: 'auto' } }),
    new NewClient(INFO),
  ]
  const stdio = openStdio()
  await legacy.connect(new OldTransport(url, { requestInit }))
  await modern.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  await local.connect(stdio)
  const old: Call = (name, args, onprogress) =>
    legacy.callTool({ name, arguments: args }, undefined, { ...TIMEOUT, onprogress }) as Promise<Answer>
  return {
    calls: { old, modern: callsOf(modern), local: callsOf(local) },
    stdio,
    close: () => Promise.all([legacy, modern, local].map((client) => client.close())),
  }
}

/** Waits for a job by the tools of a client, and expects its result. */
async function expectResult(call: Call, job_id: string | undefined): Promise<void> {
  await waitUntil('the job is completed', async () => {
    const { structuredContent } = await call('get_video_job_status', { job_id })
    return structuredContent?.status === 'completed'
  })
  expect(await call('get_video_result', { job_id })).toMatchObject({ structuredContent: { status: 'completed' } })
}

const expectTask = (access: Access, taskId: unknown): Promise<unknown> =>
  waitUntil('the task is completed', async () => {
    const { result } = await rpc(access, 'tasks/get', { taskId }, TASKS)
    return result?.status === 'completed'
  })

/** Calls the tool that waits. Returns the ID of the job as the progress tells it, and how the call ends. */
async function summarizeWatched(call: Call, video_url: string) {
  let jobId: string | undefined
  const args = { video_url, timeout_seconds: 300 }
  const ended = call(SUMMARIZE, args, ({ message = '' }) => {
    jobId ??= /\(job ([\w-]+)\)/.exec(message)?.[1]
  }).then(
    () => 'answered',
    () => 'failed',
  )
  await waitUntil('the progress tells the ID of the job', () => jobId !== undefined)
  return { jobId, ended }
}

/** Restarts every process of the service while clients of each kind wait for a job. */
test('a job survives the restart of every replica, for each kind of MCP client', async () => {
  const first = await startMcp(system)
  const { calls, close } = await connectAll()
  const access = { url: system.mcpUrl, key: client.key }
  const videos = ['old', 'modern', 'local', 'plain', 'task'].map(() => system.addCopy(SAMPLE_TALKS.english).id)
  const releases = videos.map((videoId) => system.platform.hold({ kind: 'timedtext', videoId }))
  const [forOld = '', forModern = '', forLocal = '', forPlain = '', forTask = ''] = videos.map((id) => watchUrl(id))
  const summarize = (call: Call, video_url: string) => call(SUMMARIZE, { video_url, timeout_seconds: 300 })
  const waiting = [summarize(calls.old, forOld), summarize(calls.modern, forModern)]
  const local = summarize(calls.local, forLocal)
  const plain = await calls.old('process_platform_video', { video_url: forPlain })
  const { result: task } = await rpc(
    access,
    'tools/call',
    { name: SUMMARIZE, arguments: { video_url: forTask } },
    TASKS,
  )
  for (const videoId of videos) await system.platform.waitForRequest({ kind: 'timedtext', videoId })

  first.kill('SIGTERM')
  const cut = await Promise.all(waiting)
  expect(await first.exited).toBe(0)
  expect(cut.map(({ structuredContent }) => structuredContent?.status)).toEqual(['processing', 'processing'])
  for (const app of [system.api, system.workers.at(-1)]) app?.kill('SIGTERM')
  await Promise.all([system.api.exited, system.workers.at(-1)?.exited])
  await system.startApi()
  system.startWorker()
  const second = await startMcp(system)
  for (const release of releases) release()

  // A call over stdio waits through all of it.
  expect(await local).toMatchObject({ structuredContent: { status: 'completed' } })
  for (const [call, answer] of [
    [calls.old, cut[0]],
    [calls.modern, cut[1]],
    [calls.old, plain],
  ] as const) {
    await expectResult(call, answer?.structuredContent?.job_id)
  }
  await expectTask(access, task?.taskId)
  await close()
  await second.stop(60_000)
})

/** Kills the MCP servers while clients of each kind wait for a job. */
test('a job survives kill -9 of the MCP server, over HTTP and stdio, for each kind of MCP client', async () => {
  const first = await startMcp(system)
  const before = await connectAll()
  const access = { url: system.mcpUrl, key: client.key }
  const videos = ['old', 'modern', 'local', 'task'].map(() => system.addCopy(SAMPLE_TALKS.english).id)
  const releases = videos.map((videoId) => system.platform.hold({ kind: 'timedtext', videoId }))
  const [forOld = '', forModern = '', forLocal = '', forTask = ''] = videos.map((id) => watchUrl(id))
  const calls = await Promise.all([
    summarizeWatched(before.calls.old, forOld),
    summarizeWatched(before.calls.modern, forModern),
    summarizeWatched(before.calls.local, forLocal),
  ])
  const params = { name: SUMMARIZE, arguments: { video_url: forTask } }
  const { result: task } = await rpc(access, 'tools/call', params, TASKS)

  first.kill('SIGKILL')
  process.kill(Number(before.stdio.pid), 'SIGKILL')
  expect(await first.exited).toBeNull()
  const [old, modern, local] = calls
  expect(await local?.ended).toBe('failed')
  const second = await startMcp(system)
  for (const release of releases) release()

  // The clients need nothing but what they were told before. Those over HTTP need not even reconnect.
  await expectResult(before.calls.old, old?.jobId)
  await expectResult(before.calls.modern, modern?.jobId)
  await expectTask(access, task?.taskId)
  const after = new NewClient(INFO)
  await after.connect(openStdio())
  await expectResult(callsOf(after), local?.jobId)
  await after.close()
  await before.close()
  await second.stop(60_000)
  const jobs = await system.rows('SELECT id FROM jobs WHERE video_id = ANY ($1::text[])', [videos])
  expect(jobs).toHaveLength(videos.length)
})
