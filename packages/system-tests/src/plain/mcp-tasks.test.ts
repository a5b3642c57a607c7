import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { type Rpc, rpc, TASKS } from '../mcp-rpc.ts'
import { useMcp } from '../start-mcp.ts'
import { usePlainSystem } from './use-plain-system.ts'

const TALK = SAMPLE_TALKS.english
/** The ID of the job behind a task, a finished summary or an error. */
function readJobId(result: Rpc['result'] = {}): string {
  const { taskId, structuredContent, content } = result as {
    taskId?: string
    structuredContent?: { job_id: string }
    content?: { text: string }[]
  }
  if (taskId ?? structuredContent) return taskId ?? String(structuredContent?.job_id)
  return (JSON.parse(content?.[0]?.text ?? '{}') as { job_id: string }).job_id
}

const system = usePlainSystem()
const access = useMcp(system)
const summarize = (id: string) => ({
  name: 'summarize_platform_video',
  arguments: { video_url: watchUrl(id), summary_modes: ['tldr'] },
})

test('the MCP server answers a declared request with a task, which any replica can finish or cancel', async () => {
  const { id } = system.addCopy(TALK)
  const release = system.platform.hold({ kind: 'timedtext', videoId: id })
  const { result: task } = await rpc(access(), 'tools/call', summarize(id), TASKS)
  expect(isCreateTaskResultV2(task)).toBe(true)
  expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 2_000 })
  const taskId = String(task?.taskId)
  const get = async () => (await rpc(access(), 'tasks/get', { taskId }, TASKS)).result
  expect(await get()).toMatchObject({ taskId, status: 'working' })
  expect((await rpc(access(), 'tasks/update', { taskId, inputResponses: {} }, TASKS)).result).toBeDefined()
  release()
  const done = await waitUntil('the task is completed', async () => {
    const state = await get()
    return state?.status === 'completed' && state
  })
  expect(isDetailedTaskV2(done)).toBe(true)
  expect(done).toMatchObject({ result: { structuredContent: { job_id: taskId, status: 'completed' } } })
})

test('the MCP server reports a failed job as a completed task with an error, and a cancelled one as cancelled', async () => {
  const { id } = system.addCopy(TALK)
  const release = system.platform.hold({ kind: 'timedtext', videoId: id })
  const { result: task } = await rpc(access(), 'tools/call', summarize(id), TASKS)
  const taskId = String(task?.taskId)
  expect((await rpc(access(), 'tasks/cancel', { taskId }, TASKS)).error).toBeUndefined()
  release()
  expect((await rpc(access(), 'tasks/get', { taskId }, TASKS)).result).toMatchObject({ status: 'cancelled' })
  const { result: failed } = await rpc(access(), 'tools/call', summarize('doesNotXist'), TASKS)
  const failedId = readJobId(failed)
  await waitUntil('the failed task is reported', async () => {
    const { result } = await rpc(access(), 'tasks/get', { taskId: failedId }, TASKS)
    return result?.status === 'completed' && (result.result as { isError?: boolean }).isError === true
  })
})

test('the MCP server checks the time to wait although a task does not wait for so long', async () => {
  const { name, arguments: given } = summarize('doesNotXist')
  const answer = await rpc(access(), 'tools/call', { name, arguments: { ...given, timeout_seconds: 301 } }, TASKS)
  expect(JSON.stringify(answer)).toMatch(/timeout_seconds/)
})

test('the MCP server answers without a task where none was declared, and refuses to look at one', async () => {
  const { result } = await rpc(access(), 'tools/call', summarize(system.addCopy(TALK).id))
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'completed' } })
  const taskId = readJobId(result)
  expect((await rpc(access(), 'tasks/get', { taskId })).error).toMatchObject({ code: -32_021 })
  expect((await rpc(access(), 'tasks/get', { taskId: 'unknown' }, TASKS)).error).toMatchObject({ code: -32_602 })
})
